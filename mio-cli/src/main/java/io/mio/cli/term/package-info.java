/**
 * How commands show things: tables, amounts, names from outside made safe for a terminal, colours,
 * progress, JSON. Every command uses these, so that all of them look and behave alike. Begin with
 * {@link io.mio.cli.term.Terminal} and {@link io.mio.cli.term.Table}.
 */
package io.mio.cli.term;
