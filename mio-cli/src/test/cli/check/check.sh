# Nothing of the machine's own settings.
unset MIO_FILES MIO_STATS MIO_DEBUG MIO_DEFAULTS MIO_ENABLED MIO_CONFIG MIO_BACKEND
export XDG_CONFIG_HOME=/no/such
exec 2>&1

mio check
echo "--- a file, a variable that wins, what a name gets"
cat > mio.conf <<'END'
files = *.dat [ trace ]
stats = stdout
END
MIO_FILES='*.jar:/etc/** [ os ] *.dat:*.scr [ trace/kbytes | pf/cache=100m/page=2m/pref=4 ] *.tmp [ pf ]' \
    MIO_DEFAULTS=pf/private mio check --config mio.conf --explain /scratch/run7/matrix.dat
echo "--- no rule, a rule that keeps MIO away"
mio check --files '*.jar [ os ] *.dat [ trace ]' --stats stdout --explain /a/x.jar --explain /a/x.txt
echo "--- probably not meant"
mio check --files '* [ trace ] *.dat [ pf/nostats/cache=8m/page=2m/pref=4 ] run7/*.scr [ trace ]' --stats /no/such/x.stats --debug open
mio check --files '*.dat [ auto/streams=4 ] * [ pf/auto/cache=8m ]' --stats stdout --explain x.dat
echo "--- switched off"
MIO_ENABLED=0 mio check --files '* [ nonsense'
echo "--- mistakes"
mio check --files '* [ trace/stats | pf/cahce_size=10m ]' || echo "status $?"
mio check --debug 'open moduls' || echo "status $?"
MIO_BACKEND=thread mio check || echo "status $?"
printf 'files=* [ pf/cache=1 ]\n' > wrong.conf
mio check --config wrong.conf || echo "status $?"
mio check --config no.conf || echo "status $?"
mio check --defaults 'pf/cache=1' --json || echo "status $?"
