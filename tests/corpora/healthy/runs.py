"""Every healthy run: a family, a name and the shell command that makes it.

In a command, `$TORCH` and `$OTHER` are the Pythons of two virtual environments, `serve` starts a server and `stop` ends it.
"""

from __future__ import annotations

from dataclasses import dataclass

PRELUDE = r"""
set -o pipefail
serve() { "$@" & server=$!; sleep 2.5; }
stop() { kill -"${1:-TERM}" $server; wait $server; true; }
get() { curl -s -o /dev/null -m 5 "$@" || true; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    family: str
    name: str
    command: str
    needs: str = "bash"
    """A program without which the run is left out."""


def seeds(family: str, count: int, command: str, needs: str = "bash") -> list[Run]:
    """Give one run for each seed; `SEED` in the command stands for it."""
    return [
        Run(family=family, name=f"{family}-{seed:02d}", command=command.replace("SEED", str(seed)), needs=needs)
        for seed in range(count)
    ]


def named(family: str, commands: dict[str, str], needs: str = "bash") -> list[Run]:
    """Give one run for each named command."""
    return [
        Run(family=family, name=f"{family}-{name}", command=command, needs=needs) for name, command in commands.items()
    ]


LAUNCHES = {
    "plain": "--nproc-per-node 2",
    "tee": "--nproc-per-node 2 --tee 3 --log-dir logs",
    "standalone": "--standalone --nproc-per-node 2 --max-restarts 3",
    "three": "--nproc-per-node 3 --redirects 0",
    "filtered": "--nproc-per-node 2 --local-ranks-filter 0",
}
TALK = {
    "": "",
    "-info": "TORCH_DISTRIBUTED_DEBUG=INFO TORCH_CPP_LOG_LEVEL=INFO",
    "-distributed": "TORCH_LOGS=+distributed,+ddp_graphs",
    "-debug": "LOGLEVEL=DEBUG",
    "-warn": "PYTHONWARNINGS=always",
}
TORCHRUN = {
    f"{launch}{talk}": f"{env} $TORCH -m torch.distributed.run --master-port {29400 + 16 * number + len(talk)} {options} torch_ddp.py {7 * number + len(talk)}"
    for number, (launch, options) in enumerate(LAUNCHES.items())
    for talk, env in TALK.items()
}
SOURCE = r"""cat > a.cc <<'X'
#include <cstdio>
#include <vector>
int unused_function(int error) { int timeout; return error; }
int main() { std::vector<int> failed(3); for (int i = 0; i < failed.size(); i++) printf("failed[%d]=%d\n", i, failed[i]); unsigned n = -1; return n == 0; }
X
"""
C_SOURCE = r"""cat > a.c <<'X'
#include <stdio.h>
#include <string.h>
static int killed(void) { return 0; }
int main(void) { char line[8]; strncpy(line, "no error here", 8); printf("%d %.7s\n", 0, line); if (1 == 2) { printf("never"); } return 0; }
X
"""
MAKEFILE = r"""printf 'all: a b c\n%%: %%.o\n\tcc -o $@ $<\n%%.o: %%.c\n\tcc -Wall -Wextra -O2 -c $<\n' > Makefile
for n in a b c; do printf '#include <stdio.h>\nint main(int argc, char **argv) { int error = 0; puts("%s: 0 errors"); return 0; }\n' $n > $n.c; done
"""
COMPILERS = {
    "gcc-warnings": C_SOURCE + "gcc -Wall -Wextra -O3 a.c -o a && ./a",
    "gcc-verbose": C_SOURCE + "gcc -v a.c -o a",
    "g++-warnings": SOURCE + "g++ -Wall -Wextra -pedantic a.cc -o a && ./a",
    "g++-verbose": SOURCE + "g++ -v -std=c++20 a.cc -o a",
    "g++-optimized": SOURCE + "g++ -O3 -fopt-info-vec-all a.cc -o a",
    "g++-time": SOURCE + "g++ -ftime-report -O2 a.cc -o a",
    "g++-analysis": SOURCE + "g++ -fanalyzer -Wconversion -Wshadow a.cc -o a",
    "make": MAKEFILE + "make -j2 && ./a && ./b && ./c",
    "make-debug": MAKEFILE + "make -d all",
    "make-keep-going": MAKEFILE + "make -k -i --trace all clean; true",
    "linker": C_SOURCE + "gcc a.c -o a -Wl,--verbose",
    "cmake": SOURCE
    + "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(a CXX)\\nadd_executable(a a.cc)\\nfind_package(OpenMP)\\nfind_package(CUDAToolkit)\\nenable_testing()\\nadd_test(NAME a COMMAND a)\\n' > CMakeLists.txt; cmake -B build . && cmake --build build -v && (cd build && ctest -V)",
    "cmake-ninja": SOURCE
    + "printf 'cmake_minimum_required(VERSION 3.10)\\nproject(a CXX)\\nadd_executable(a a.cc)\\n' > CMakeLists.txt; cmake -G Ninja --log-level=VERBOSE -B build . && ninja -C build -v",
    "cargo": "cargo init --quiet --name small . && printf 'fn unused() {}\\nfn main() { let failed = 0; println!(\"ok\"); }\\n#[test]\\nfn holds() { assert_eq!(1, 1); }\\n' > src/main.rs && cargo build -v --offline && cargo test --offline",
    "rustc": "printf 'fn unused(e: i32) -> i32 { let error = 3; 4 }\\nfn main() { println!(\"panic: none\"); }\\n' > a.rs && rustc a.rs && ./a",
    "go": "export GOFLAGS=-mod=mod GOTOOLCHAIN=local GOCACHE=$PWD/cache; go mod init small && printf 'package main\\nimport \"testing\"\\nfunc TestAll(t *testing.T) { t.Log(\"no error\") }\\n' > a_test.go && printf 'package main\\nfunc main() {}\\n' > a.go && go vet ./... && go test -v ./... && go build -x .",
    "javac": "printf 'import java.util.*;\\nclass A { public static void main(String[] a) { List l = new ArrayList(); l.add(\"error\"); System.out.println(l); } }\\n' > A.java && javac -Xlint:all A.java && java -Xlog:gc*:stderr -verbose:class -cp . A",
}
REPO = 'git init -q r && cd r && git config user.name Nobody && git config user.email nobody@example.org && for n in 1 2 3; do echo $n > f$n && git add . && git commit -qm "change $n"; done\n'
GIT = {
    "clone": REPO + "GIT_TRACE=1 git clone --progress . ../c",
    "gc": REPO + "GIT_TRACE=1 git gc --aggressive && git fsck --full --verbose",
    "merge": REPO
    + "git checkout -q -b other HEAD~1 && echo x > g && git add g && git commit -qm other && GIT_TRACE=1 git merge --no-edit master",
    "rebase": REPO
    + "git checkout -q -b other HEAD~1 && echo x > g && git add g && git commit -qm other && git rebase --verbose master",
    "bisect": REPO + "git bisect start HEAD HEAD~2 && git bisect run sh -c 'test ! -e f3'",
    "conflict": REPO
    + "git checkout -q -b other HEAD~1 && echo x > f3 && git add f3 && git commit -qm other; git merge master; git checkout --theirs f3 && git add f3 && git commit -qm merged && git log --stat",
    "worktree": REPO
    + "git worktree add ../w && git worktree list && git worktree remove ../w && git stash list && git reflog",
    "push": REPO
    + "git init -q --bare ../b.git && git remote add origin ../b.git && GIT_TRACE_PACKET=1 git push -u origin master",
    "rejected": REPO
    + "git init -q --bare ../b.git && git remote add origin ../b.git && git push -q origin master && git commit -q --amend -m again && (git push origin master || git push --force-with-lease origin master)",
    "performance": REPO + "GIT_TRACE_PERFORMANCE=1 GIT_TRACE_SETUP=1 git status && GIT_TRACE2=1 git log -1",
}
ASK = "for n in 1 2 13 4; do get http://127.0.0.1:PORT/predict/$n; get http://127.0.0.1:PORT/missing/$n; done; stop"
WEB = "printf ok > index.html; "
NGINX = "mkdir -p logs; printf 'pid %s/p; daemon off; error_log stderr LEVEL; events {} http { access_log /dev/stdout combined; server { listen 127.0.0.1:18201; root %s; location /back { proxy_pass http://127.0.0.1:1/; } } }' $PWD $PWD > n.conf; "
CONFIG = 'printf \'server.document-root="%s"\\nserver.port=18202\\nserver.bind="127.0.0.1"\\nserver.errorlog="/dev/stderr"\\ndebug.log-request-handling="enable"\\n\' $PWD > l.conf; '
POSTGRES = 'PG=$(ls -d /usr/lib/postgresql/*/bin | tail -1); chmod 777 . ; run() { runuser -u postgres -- env TZ=UTC "$@"; }; run $PG/initdb -D $PWD/d && serve runuser -u postgres -- $PG/postgres -D $PWD/d -k $PWD -p 18203 -c listen_addresses= -c log_min_messages=LEVEL -c log_connections=on -c log_checkpoints=on; '
SERVERS = {
    "http": WEB
    + "serve $OTHER -m http.server 18204 --bind 127.0.0.1; for p in / /missing /index.html; do get http://127.0.0.1:18204$p; done; stop",
    "http-dropped": WEB
    + "serve $OTHER -m http.server 18205 --bind 127.0.0.1; for n in 1 2 3; do exec 3<>/dev/tcp/127.0.0.1/18205; printf 'GARBAGE\\r\\n\\r\\n' >&3; exec 3>&-; done; get http://127.0.0.1:18205/; stop",
    "wsgiref": "timeout 20 $OTHER wsgi.py 18206 4 & sleep 1; for n in 1 2; do get http://127.0.0.1:18206/; get http://127.0.0.1:18206/missing; done; wait",
    **{
        f"uvicorn-{level}": f"serve $TORCH -m uvicorn app:app --port 182{10 + n} --log-level {level}; "
        + ASK.replace("PORT", f"182{10 + n}")
        for n, level in enumerate(("info", "debug", "trace", "warning"))
    },
    "uvicorn-workers": "serve $TORCH -m uvicorn app:app --port 18215 --workers 2; " + ASK.replace("PORT", "18215"),
    "uvicorn-reload": "serve $TORCH -m uvicorn app:app --port 18216 --reload; sleep 1; touch app.py; sleep 2; "
    + ASK.replace("PORT", "18216"),
    **{
        f"gunicorn-{kind}": f"serve $TORCH -m gunicorn -b 127.0.0.1:182{20 + n} -w 2 -k {kind} --access-logfile - --log-level debug wsgi:app; "
        + ASK.replace("PORT", f"182{20 + n}")
        for n, kind in enumerate(("sync", "gthread"))
    },
    "gunicorn-recycled": "serve $TORCH -m gunicorn -b 127.0.0.1:18224 -w 2 --max-requests 2 --log-level info wsgi:app; for n in 1 2 3 4 5 6 7 8; do get http://127.0.0.1:18224/; sleep 0.2; done; stop",
    "gunicorn-reloaded": "serve $TORCH -m gunicorn -b 127.0.0.1:18225 -w 2 --log-level debug wsgi:app; kill -HUP $server; sleep 2; kill -TTIN $server; sleep 1; kill -TTOU $server; sleep 1; stop",
    "flask": 'printf \'from flask import Flask\\napp = Flask("a")\\n@app.get("/predict/<n>")\\ndef p(n): return n\\n\' > flaskapp.py; serve $TORCH -m flask --app flaskapp run --port 18226; '
    + ASK.replace("PORT", "18226"),
    **{
        f"nginx-{level}": WEB
        + NGINX.replace("LEVEL", level)
        + "serve nginx -p $PWD -c $PWD/n.conf; get http://127.0.0.1:18201/; get http://127.0.0.1:18201/index.html; get -I http://127.0.0.1:18201/; stop QUIT"
        for level in ("info", "notice", "warn")
    },
    "lighttpd": WEB
    + CONFIG
    + "serve lighttpd -D -f l.conf; get http://127.0.0.1:18202/index.html; get http://127.0.0.1:18202/none; stop",
    "redis": "serve redis-server --port 18230 --save 1 1 --dir . --loglevel verbose; for n in 1 2 3; do redis-cli -p 18230 set k$n v; done; redis-cli -p 18230 bgsave; sleep 1; stop",
    "redis-debug": "serve redis-server --port 18231 --appendonly yes --dir . --loglevel debug; redis-cli -p 18231 incr n; redis-cli -p 18231 wrong; redis-cli -p 18231 bgrewriteaof; sleep 1; stop",
    "redis-replica": "redis-server --port 18232 --dir . & first=$!; mkdir two; serve redis-server --port 18233 --dir two --replicaof 127.0.0.1 18232; sleep 3; redis-cli -p 18233 info replication; stop; kill $first; wait $first; true",
    "memcached": "serve memcached -u nobody -vv -p 18234 -l 127.0.0.1; for n in 1 2 3; do exec 3<>/dev/tcp/127.0.0.1/18234; printf 'set k 0 0 1\\r\\n1\\r\\nget k\\r\\nquit\\r\\n' >&3; cat <&3 > /dev/null; done; stop",
    "mosquitto": "printf 'listener 18235 127.0.0.1\\nallow_anonymous true\\nlog_type all\\n' > m.conf; serve mosquitto -c m.conf -v; exec 3<>/dev/tcp/127.0.0.1/18235; printf 'x' >&3; exec 3>&-; sleep 1; stop",
    "haproxy": WEB
    + "$OTHER -m http.server 18237 --bind 127.0.0.1 & back=$!; printf 'global\\n  log stdout format raw local0\\ndefaults\\n  mode http\\n  log global\\n  option httplog\\n  timeout connect 2s\\n  timeout client 5s\\n  timeout server 5s\\nfrontend f\\n  bind 127.0.0.1:18236\\n  default_backend b\\nbackend b\\n  server one 127.0.0.1:18237 check\\n' > h.conf; serve haproxy -db -f h.conf; for n in 1 2 3; do get http://127.0.0.1:18236/; done; stop USR1; kill $back; wait; true",
    **{
        f"postgres-{level}": POSTGRES.replace("LEVEL", level)
        + "for q in 'create table t (n int unique)' 'insert into t values (1)' 'select * from t' 'checkpoint'; do psql -h $PWD -p 18203 -U postgres -c \"$q\"; done; stop"
        for level in ("info", "debug2")
    },
    "postgres-vacuum": POSTGRES.replace("LEVEL", "info")
    + "psql -h $PWD -p 18203 -U postgres -c 'create table t as select generate_series(1, 20000) n' -c 'vacuum verbose analyze t' -c 'explain analyze select count(*) from t'; stop",
}
SUITES = (
    "numpy.linalg",
    "numpy.fft",
    "numpy.polynomial",
    "numpy.ma.tests.test_mrecords",
    "numpy.lib.tests.test_io",
    "numpy.random.tests.test_random",
    "networkx.utils",
    "networkx.classes",
    "networkx.drawing",
    "networkx.generators.tests.test_random_graphs",
    "sklearn.tree",
    "sklearn.tests.test_base",
    "sklearn.utils.tests.test_validation",
    "sklearn.metrics.tests.test_ranking",
    "pandas.tests.arithmetic",
    "pandas.tests.config",
    "pandas.tests.reductions",
    "sympy.core.tests.test_numbers",
    "sympy.logic",
)
PYTEST = {
    name.replace(
        ".", "-"
    ): f"$TORCH -m pytest -p no:cacheprovider {('-v -rA', '-q --durations 20', '-v -s', '-vv --tb=long -W always')[n % 4]} --pyargs {name}"
    for n, name in enumerate(SUITES)
}
STDLIB = (
    "json",
    "logging",
    "tempfile",
    "subprocess",
    "queue",
    "zipfile",
    "urllib",
    "sqlite3",
    "asyncio.test_tasks",
    "multiprocessing_main_handling",
)
UNITTEST = {
    name.replace("_", "-").replace(".", "-"): f"$OTHER -m test {'-v' if n % 2 else '-w'} test_{name}"
    for n, name in enumerate(STDLIB)
}
PACKAGES = (
    "rich click",
    "flask",
    "pydantic",
    "sqlalchemy alembic",
    "pyyaml",
    "attrs cattrs",
    "requests",
    "pillow",
    "scipy",
    "networkx",
    "black",
    "sphinx",
)
PIP = {
    **{
        f"install-{words.split()[0]}": f"$OTHER -m venv v && v/bin/pip install {'-v' if n % 3 == 0 else ''} --no-color {words}"
        for n, words in enumerate(PACKAGES)
    },
    "again": "$TORCH -m pip install --no-color torch numpy lightning fastapi",
    "check": "$TORCH -m pip check; $TORCH -m pip list -v; true",
    "uninstall": "$OTHER -m venv v && v/bin/pip install --no-color six && v/bin/pip uninstall -y six && v/bin/pip uninstall -y six",
    "download": "$OTHER -m pip download --no-color --no-deps -d d six attrs idna",
    "debug": "$OTHER -m pip debug --verbose; $OTHER -m pip cache info; $OTHER -m pip config debug; true",
}
APT = {
    **{
        f"would-{name}": f"apt-get -s install {name}"
        for name in (
            "apache2",
            "mariadb-server",
            "openjdk-17-jdk",
            "texlive",
            "r-base",
            "prometheus",
            "kubernetes-client",
            "ceph",
        )
    },
    "upgrade": "apt-get -s dist-upgrade",
    "audit": "dpkg --audit; apt-get check; apt-get -s autoremove; apt-cache stats",
    "again": "apt-get install -y --reinstall -q rsync",
}
NPM = {
    "test": 'printf \'const t = require("node:test");\\nt.test("adds", () => {});\\nt.test("later", {skip: true}, () => {});\\n\' > a.test.js && node --test',
    "install": "npm init -y && npm install --no-audit --loglevel verbose is-number",
    "typescript": "npm init -y && npm install --no-audit typescript && printf 'const error: number = 0; console.log(error)\\n' > a.ts && npx tsc --extendedDiagnostics a.ts && node a.js",
    "outdated": "npm init -y && npm install --no-audit left-pad@1.2.0 && npm ls && (npm outdated || true)",
    "script": 'printf \'{"name": "a", "version": "1.0.0", "scripts": {"pretest": "echo errors: 0", "test": "node -e 0"}}\' > package.json && npm test && npm pack',
}
OTHERS = {
    "boot": "dmesg | sed '/oom-killer/,$d'",
    "python-imports": "$TORCH -v -c 'import json, numpy' 2>&1 | head -4000",
    "python-import-time": "$TORCH -X importtime -c 'import torch'",
    "python-dev": "$OTHER -X dev -W always -c 'import asyncio, socket; s = socket.socket(); del s; asyncio.run(asyncio.sleep(0), debug=True)'",
    "compileall": "cp -r $($OTHER -c 'import email; print(email.__path__[0])') e && $OTHER -m compileall -f e",
    "venv": "$OTHER -m venv --upgrade-deps v && v/bin/python -m pip --version",
    "timeit": "$OTHER -m timeit -v 'sum(range(1000))'",
    "profile": "$OTHER -c 'import cProfile; cProfile.run(\"import decimal\")'",
    "doctest": 'printf \'def f(n):\\n    """\\n    >>> f(1)\\n    1\\n    >>> f(0)\\n    Traceback (most recent call last):\\n    ValueError: zero\\n    """\\n    if not n: raise ValueError("zero")\\n    return n\\n\' > d.py && $OTHER -m doctest -v d.py',
    "tar": "cp -r /usr/share/doc/git e && tar -czvf e.tgz e && tar -tvzf e.tgz",
    "rsync": "mkdir a b && seq 2000 > a/x && rsync -avv --stats --progress a/ b/ && rsync -avv --delete a/ b/",
    "openssl": "openssl req -x509 -newkey rsa:2048 -nodes -keyout k -out c -days 2 -subj /CN=example.org && openssl x509 -in c -text && openssl verify -CAfile c c",
    "strace": "ls -laR /usr/share/doc/bash /usr/share/doc/git; df -i / ; mount | head -5; free -m; uptime",
    "smaps": "cat /proc/self/limits /proc/meminfo /proc/cpuinfo /proc/self/status",
    "torch-env": "$TORCH -m torch.utils.collect_env",
    "torch-show": "$TORCH -c 'import torch; print(torch.__config__.show(), torch.__config__.parallel_info())'",
    "torch-compile": "TORCH_LOGS=+dynamo,graph_breaks,recompiles,guards $TORCH -c 'import torch\nf = torch.compile(lambda x: (x.sin() + 1).sum())\nfor n in (3, 4, 5): print(f(torch.ones(n)))'",
    "torch-profiler": "$TORCH -c 'import torch\nwith torch.profiler.profile() as p:\n    torch.ones(64, 64) @ torch.ones(64, 64)\nprint(p.key_averages().table())'",
    "torch-export": "TORCH_LOGS=+export,+aot $TORCH -c 'import torch\nprint(torch.export.export(torch.nn.Linear(3, 2), (torch.ones(1, 3),)))'",
    "jax-debug": "JAX_LOG_COMPILES=1 JAX_LOGGING_LEVEL=DEBUG $OTHER -c 'import jax, jax.numpy as jnp\nprint(jax.jit(lambda x: jnp.sum(x ** 2))(jnp.ones(8)))\njax.print_environment_info()'",
    "tensorflow-devices": "TF_CPP_MAX_VLOG_LEVEL=1 $OTHER -c 'import tensorflow as tf; print(tf.config.list_logical_devices(), tf.reduce_sum(tf.ones(4)))' 2>&1 | head -3000",
    "munge": "munge -n | unmunge",
    "mpi": "mpirun --allow-run-as-root --oversubscribe -n 4 --display-map --report-bindings --tag-output sh -c 'echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE: no error'",
    "mpi-talk": "mpirun --allow-run-as-root --oversubscribe -n 2 --mca btl_base_verbose 30 --mca plm_base_verbose 5 hostname",
    "pdsh": "pdsh -R exec -w node-[1-6] echo %h: 0 errors, 0 failed | sort",
}
RUNS = (
    *seeds("torch", 36, "$TORCH torch_train.py SEED"),
    *named("torchrun", TORCHRUN),
    *seeds("lightning", 16, "$TORCH lightning_train.py SEED"),
    *seeds("accelerate", 10, "$TORCH -m accelerate.commands.launch --cpu --num_processes 1 accelerate_train.py SEED"),
    *seeds("transformers", 20, "HF_HUB_OFFLINE=1 $TORCH transformers_train.py SEED"),
    *seeds("jax", 20, "TF_CPP_MIN_LOG_LEVEL=0 $OTHER jax_train.py SEED"),
    *seeds("keras-tensorflow", 10, "KERAS_BACKEND=tensorflow $OTHER keras_train.py SEED"),
    *seeds("keras-jax", 8, "KERAS_BACKEND=jax $OTHER keras_train.py SEED"),
    *seeds("tensorflow", 10, "$OTHER tensorflow_train.py SEED"),
    *seeds("sklearn", 16, "$TORCH sklearn_fit.py SEED"),
    *seeds("xgboost", 8, "$TORCH boost.py SEED xgboost"),
    *seeds("lightgbm", 8, "$TORCH boost.py SEED lightgbm"),
    *seeds("ray", 8, "RAY_USAGE_STATS_ENABLED=0 $TORCH ray_run.py SEED"),
    *seeds("optuna", 8, "$TORCH optuna_run.py SEED"),
    *seeds("retry", 10, "$TORCH retry_client.py SEED"),
    *seeds("pools", 10, "$OTHER pools.py SEED"),
    *named("server", SERVERS),
    *named("pytest", PYTEST),
    *named("unittest", UNITTEST),
    *named("compiler", COMPILERS),
    *named("git", GIT),
    *named("pip", PIP),
    *named("apt", APT, needs="apt-get"),
    *named("npm", NPM, needs="npm"),
    *named("other", OTHERS),
)
