# What goes to stderr is part of what the user sees. Nothing is measured, nothing is left behind.
exec 2>&1
mkdir place
mio bench place -i 6 || echo "status $?"
mio bench place -i sequential || echo "status $?"
mio bench place -r 4 || echo "status $?"
mio bench place -r 8m..4k || echo "status $?"
mio bench place -r 1m -s 64k --warm || echo "status $?"
mio bench place -t 0 || echo "status $?"
mio bench place --cold --warm || echo "status $?"
mio bench place --cold --twice || echo "status $?"
mio bench place -f file || echo "status $?"
mio bench place -y 4k -r 4k || echo "status $?"
mio bench place --config pf || echo "status $?"
mio bench place --config 'pf=[ pf/cahce=1m ]' || echo "status $?"
mio bench --pf=cahce=1m place || echo "status $?"
mio bench --trace=stats/kbyts place || echo "status $?"
mio bench place --config a= --config a= || echo "status $?"
mio bench place --door both || echo "status $?"
mio bench absent/file || echo "status $?"
echo 'of the user' >"$(printf 'data\033[31m')"
mio bench -f "$(printf 'data\033[31m')" 2>&1 | sed 's|^mio bench: /.*/|mio bench: |'
ls -A place
cat data*
mio bench -f data* -i read -o data* 2>&1 | sed 's|^\(mio bench: -o \).*: is|\1FILE: is|' || echo "status $?"
mkfifo pipe
mio bench -f pipe -i read 2>&1 | sed 's|^mio bench: /.*/|mio bench: |'
mio bench place --shared --processes -t 3 --warm --pf || echo "status $?"
mio bench place -I --warm || echo "status $?"
mio bench --pf absent/file || echo "status $?"
