// Asks Perfetto's trace processor, as WebAssembly, about a trace:
//
//   node trace_processor.mjs ENGINE TRACE QUERY...
//
// ENGINE is a directory with engine_bundle.js and its .wasm files, which trace_processor.sh makes.
// Prints one line of JSON for each query: a list of rows, each an object. Status 1 and a message
// where the engine refuses the trace or a query.

import fs from 'node:fs';
import path from 'node:path';

const APPEND = 1;
const FINALIZE = 2;
const QUERY = 3;
const PIECE_BYTES = 4 << 20;

const [engine, trace, ...queries] = process.argv.slice(2);

// ---- the engine: a web worker, which is given what it has in a browser

function start() {
    const file = (url) => fs.readFileSync(path.join(engine, path.basename(String(url))));
    class Request {
        open(method, url) {
            this.url = url;
        }
        send() {
            const bytes = file(this.url);
            this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        }
    }
    const worker = {location: {href: 'http://localhost/engine_bundle.js'}};
    const globals = {
        self: worker,
        location: worker.location,
        process: undefined,
        WorkerGlobalScope: Request,
        importScripts: () => {},
        XMLHttpRequest: Request,
        fetch: async (url) => new Response(file(url), {headers: {'Content-Type': 'application/wasm'}}),
        console: {log() {}, warn() {}, error() {}},
    };
    const code = fs.readFileSync(path.join(engine, 'engine_bundle.js'), 'utf8');
    new Function(...Object.keys(globals), code)(...Object.values(globals));
    const port = {replies: [], postMessage: (bytes) => port.replies.push(Buffer.from(bytes))};
    worker.onmessage({data: port});
    return port;
}

// ---- Protocol Buffers, as far as they are needed

function varint(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) {
        bytes.push((value % 128) | 128);
    }
    bytes.push(value);
    return Buffer.from(bytes);
}

const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const message = (field, bytes) => Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);

/** Reads numbers as BigInt, signed. */
function* numbers(bytes) {
    for (let at = 0; at < bytes.length; ) {
        let value = 0n;
        let shift = 0n;
        for (let more = true; more; shift += 7n) {
            more = bytes[at] > 127;
            value |= BigInt(bytes[at++] & 127) << shift;
        }
        yield [BigInt.asIntN(64, value), at];
    }
}

function* fields(bytes) {
    for (let at = 0; at < bytes.length; ) {
        const next = () => {
            const [value, length] = numbers(bytes.subarray(at)).next().value;
            at += length;
            return value;
        };
        const tag = Number(next());
        if (tag % 8 === 0) {
            yield [tag >> 3, next()];
        } else {
            const length = tag % 8 === 1 ? 8 : tag % 8 === 5 ? 4 : Number(next());
            yield [tag >> 3, bytes.subarray(at, at + length)];
            at += length;
        }
    }
}

// ---- calls of the engine

let sequence = 0;

function call(port, method, ...args) {
    port.replies.length = 0;
    const body = Buffer.concat([number(1, sequence++), number(2, method), ...args]);
    port.onmessage({data: new Uint8Array(message(1, body))});
    const results = [];
    for (const [, reply] of fields(Buffer.concat(port.replies))) {
        for (const [field, value] of fields(reply)) {
            if (field === 5) {
                throw new Error(String(value));
            }
            if (field > 200) {
                results.push(value);
            }
        }
    }
    return results;
}

function complain(result, field) {
    for (const [found, value] of fields(result)) {
        if (found === field && value.length > 0) {
            throw new Error(String(value));
        }
    }
}

function load(port) {
    const bytes = fs.readFileSync(trace);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        call(port, APPEND, message(101, piece)).forEach((result) => complain(result, 2));
    }
    call(port, FINALIZE).forEach((result) => complain(result, 1));
}

function query(port, sql) {
    const names = [];
    const cells = [];
    for (const result of call(port, QUERY, message(103, message(1, Buffer.from(sql))))) {
        complain(result, 2);
        for (const [field, value] of fields(result)) {
            if (field === 1) {
                names.push(String(value));
            } else if (field === 3) {
                cells.push(...batch(value));
            }
        }
    }
    const rows = [];
    for (let at = 0; at < cells.length; at += names.length) {
        rows.push(Object.fromEntries(names.map((name, i) => [name, cells[at + i]])));
    }
    return rows;
}

function* batch(bytes) {
    const found = {1: [], 2: [], 3: [], 5: []};
    for (const [field, value] of fields(bytes)) {
        if (field === 1 || field === 2) {
            found[field].push(...Array.from(numbers(value), ([one]) => one));
        } else if (field === 3) {
            for (let at = 0; at < value.length; at += 8) {
                found[3].push(value.readDoubleLE(at));
            }
        } else if (field === 5) {
            found[5].push(...String(value).split('\0').slice(0, -1));
        }
    }
    for (const kind of found[1]) {
        switch (Number(kind)) {
            case 2: {
                // As text where a number of JSON would lose digits.
                const value = found[2].shift();
                const exact = Number(value);
                yield Number.isSafeInteger(exact) ? exact : String(value);
                break;
            }
            case 3:
                yield found[3].shift();
                break;
            case 4:
                yield found[5].shift();
                break;
            default:
                yield null;
        }
    }
}

const port = start();
// The code of the engine is made at once, its memory by the promises that are waiting now.
await new Promise((resolve) => setImmediate(resolve));
try {
    load(port);
    for (const sql of queries) {
        console.log(JSON.stringify(query(port, sql)));
    }
} catch (e) {
    console.error(e.message.slice(0, 1000));
    process.exitCode = 1;
}
