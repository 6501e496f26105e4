import sqlite3,subprocess,sys
PS,SY=sys.argv[1:3]
c=sqlite3.connect('w.db',isolation_level=None); c.execute('pragma page_size='+PS); c.execute('pragma journal_mode=wal'); c.execute('pragma synchronous='+SY)
if len(sys.argv)>3:
    for l in sys.stdin:
        try: print(c.execute(l).fetchall(),flush=True)
        except Exception as e: print('ERR',e,flush=True)
    sys.exit()
c.execute('create table t(x)')
b=subprocess.Popen([sys.executable,'b.py',PS,SY,'b'],stdin=-1,stdout=-1,text=True)
def B(s): b.stdin.write(s+'\n'); b.stdin.flush(); return b.stdout.readline().strip()
def A(s):
    try: return str(c.execute(s).fetchall())
    except Exception as e: return 'ERR %s'%e
n=0; errs=[]
for i in range(12):
    r=A if i%2 else B
    x=r('insert into t values(%d)'%i)
    if x!='[]': errs.append((i,'insert',x))
    if i%3==2: (A if i%2 else B)('pragma wal_checkpoint')
    for nm,f in (('a',A),('b',B)):
        q=f('select group_concat(x) from t')
        want="[('%s',)]"%','.join(map(str,range(i+1)))
        if q!=want: errs.append((i,nm,q))
print(len(errs),'wrong;',*errs[:3],sep='\n  '); b.stdin.close(); b.wait(); c.close()
