# libraries.sh - real client libraries, each used where it is installed.
# Sourced by lab.sh (which looks for them) and by inside.sh (which runs them).
#
# LAB_LIBRARIES	names of those to run, empty for none; default: all that are there
# LAB_NPM	folder with node_modules of npm's; default: lab-bundles/.npm, where they
#		are installed into if npm can reach its registry

# Predis is not among them: in a cycle Predis 1.1 follows redirects until PHP's stack
# is full and the process dies.
all_libraries="redispy ioredis iovalkey noderedis glide phpredis redisrb"
npm_packages="ioredis@6.0.0 iovalkey@0.4.0 redis@6.3.1 @valkey/valkey-glide@2.5.2 pino@10.4.0"

# library_command NAME: in command[]
library_command()
{
	case $1 in
	redispy) command=("$LAB_PYTHON" "$here/clients/redispy.py") ;;
	iovalkey) command=(env LAB_LIBRARY=iovalkey node "$here/clients/ioredis.mjs") ;;
	ioredis | noderedis | glide) command=(node "$here/clients/$1.mjs") ;;
	phpredis) command=(php -d error_log="$folder/$log" -d date.timezone=UTC "$here/clients/phpredis.php") ;;
	redisrb) command=(ruby "$here/clients/redisrb.rb") ;;
	esac
}

# library_version NAME: printed; nothing where it is not there
library_version()
{
	local package
	case $1 in
	redispy) "$LAB_PYTHON" -c 'import redis.cluster; print(redis.__version__)' ;;
	phpredis) php -r 'function_exists("pcntl_signal") && print(phpversion("redis"));' ;;
	redisrb) ruby -e 'require "redis"; puts Redis::VERSION if Redis::VERSION.start_with?("4.")' ;;
	*)
		package=$1
		[ $1 != noderedis ] || package=redis
		[ $1 != glide ] || package=@valkey/valkey-glide
		cd "$LAB_NPM" && node -p "require('pino'); require('$package'); JSON.parse(require('fs').readFileSync('node_modules/$package/package.json')).version"
		;;
	esac 2>/dev/null
}

library_package()
{
	case $1 in
	redispy) echo "Debian python3-redis" ;;
	phpredis) echo "Debian php-cli, php-redis" ;;
	redisrb) echo "Debian ruby-redis 4" ;;
	*) echo "npm" ;;
	esac
}

# library_precision NAME: of its log's times, in seconds
library_precision()
{
	case $1 in
	*phpredis) echo 1 ;;
	*) echo 0.001 ;;
	esac
}

# find_libraries FOLDER: LAB_LIBRARIES becomes those that are there; the rest is named
find_libraries()
{
	local name version there= absent=
	: "${LAB_NPM:=$1/.npm}"
	LAB_PYTHON=python3
	python3 -c 'import redis.cluster' 2>/dev/null || LAB_PYTHON=/usr/bin/python3
	if [ -n "${LAB_LIBRARIES-npm}" ] && command -v node >/dev/null && command -v npm >/dev/null &&
	    [ ! -d "$LAB_NPM/node_modules" ]; then
		mkdir -p "$LAB_NPM" && echo '{}' >"$LAB_NPM/package.json" &&
		    (cd "$LAB_NPM" && timeout 90 npm install --no-audit --no-fund --fetch-retries 0 $npm_packages) \
			>"$LAB_NPM/install.log" 2>&1 || rm -rf "$LAB_NPM/node_modules"
	fi
	for name in ${LAB_LIBRARIES-$all_libraries}; do
		version=$(library_version $name)
		if [ -n "$version" ]; then
			there="$there $name"
			echo "client library: $name $version"
		else
			absent="$absent $name ($(library_package $name))"
		fi
	done
	[ -z "$absent" ] || echo "client libraries that are not there:$absent"
	LAB_LIBRARIES=${there# }
	export LAB_LIBRARIES LAB_NPM LAB_PYTHON
}

# library HOST NAME: log clients/[HOST/]NAME.log; what it raised, beside the bundle
library()
{
	local host=$1 name=$2 at log t n map=
	local -a command all
	at=$name
	[ $host = c1 ] || at=$host/$name
	log=clients/$at.log
	mkdir -p "$folder/clients/${at%"$name"}" "$run/raised/${at%"$name"}"
	for n in $nodes; do
		all+=(${addr[$n]})
	done
	[ -z "$library_map" ] || map=${addr[${library_map%=*}]}=${addr[${library_map#*=}]}
	library_command $name
	# who dies is begun again, as by a supervisor: phpredis 5.3 of a segmentation
	# fault now and then, others where a busy machine lets them wait at the start
	command=(bash -c 'ulimit -c 0; trap "kill \$! 2>/dev/null; wait \$!; exit" TERM
		until "$@" & wait $!; do sleep 0.1; done' sh "${command[@]}")
	utc_now t
	(
		export LAB_RAISED=$run/raised/$at LAB_MAP=$map
		in_host $host "${command[@]}" "${all[@]}" >>"$folder/$log" 2>&1 </dev/null
	) &
	programs="$programs $!"
	raised="$raised $at"
	printf '{"name":"%s","host":"%s","lib":"%s %s","log":"%s","started":"%s","options":"%s"}\n' \
	    "$name" $host $name "$(library_version $name)" "$log" "$t" "$map" >>"$run/clients"
}

# library_hosts	those of the scenario that they run on; library_map: n1=n2, for
# libraries that translate addresses, n2 is dialled where n1 is announced.
# All libraries on the hosts of the scenario, ready before anything happens.
libraries_up()
{
	local host name end=$((SECONDS + 30))
	for host in $library_hosts; do
		for name in $LAB_LIBRARIES; do
			[ $host = c1 ] || [ $mode = namespaces ] || continue
			library $host $name
		done
	done
	for name in $raised; do
		until grep -q '^ready$' "$run/raised/$name" 2>/dev/null; do
			[ $SECONDS -le $end ] || {
				tail -n 3 "$folder/clients/$name.log" >&2
				fail "the client library $name was not ready in time"
			}
			sleep 0.05
		done
	done
}

# Each ends after its command; one that is still waiting then is killed.
libraries_down()
{
	local p
	[ -n "$programs" ] || return 0
	kill -TERM $programs 2>/dev/null
	for _ in $(seq 60); do
		kill -0 $programs 2>/dev/null || break
		sleep 0.05
	done
	kill -KILL $programs 2>/dev/null
	wait $programs 2>/dev/null
	programs=
}
