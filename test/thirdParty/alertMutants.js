// Verifies that the tests of the alerts are tight: changes the thresholds and the duration (`for`) of every alert, and fails
// unless a test of that alert fails with each change. This also finds an alert without a test, and one whose tests
// stay far from its threshold. Run by test/thirdParty/promtool.
//   node alertMutants.js PROMTOOL FOLDER     FOLDER: a temporary one
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';

const [promtool, folder] = process.argv.slice(2);
const monitoring = new URL('../../k8s/platform/monitoring/', import.meta.url);
const rules = parse(await readFile(new URL('alerts.yaml', monitoring), 'utf8'));
const tests = await readTests();
const alerts = rules.groups.flatMap((group) => group.rules).filter(({ alert }) => alert);
const mutants = new Map(alerts.map((rule) => [rule.alert, mutantsOf(rule)]));

async function readTests() {
  const place = new URL('alertTests/', monitoring);
  const names = await readdir(place);
  return Promise.all(names.map(async (name) => [name, parse(await readFile(new URL(name, place), 'utf8'))]));
}

/** The changed versions of an alert, each with its description. */
function mutantsOf({ expr, for: duration }) {
  const thresholds = [...expr.matchAll(/(?<=(>|<|==) \(?)\d+(\.\d+)?/g)].flatMap(({ 0: text, index }) =>
    neighbours(Number(text)).map((value) => ({
      change: `${text} → ${value} (at ${index})`,
      rule: { expr: expr.slice(0, index) + value + expr.slice(index + text.length) },
    })),
  );
  const durations = duration ? [scaled(duration, 0.5), scaled(duration, 1.5)] : ['30s'];
  return [
    ...thresholds,
    ...durations.map((value) => ({ change: `for: ${duration ?? 'none'} → ${value}`, rule: { for: value } })),
  ];
}

/** A tenth below and above; for small counts, the adjacent integers. */
function neighbours(value) {
  const step = Number.isInteger(value) && value <= 10 ? 1 : value / 10;
  return [value - step, value + step].map((each) => Number(each.toPrecision(6)));
}

/** A duration of minutes or seconds, multiplied. */
function scaled(duration, factor) {
  const seconds = Number.parseInt(duration, 10) * (duration.endsWith('m') ? 60 : 1);
  return `${seconds * factor}s`;
}

/** Runs the tests with the mutant of that number of every alert. Returns the alerts with a failed test. */
async function alertsThatFail(number) {
  const changed = structuredClone(rules.groups);
  for (const rule of changed.flatMap((group) => group.rules))
    Object.assign(rule, mutants.get(rule.alert)?.[number]?.rule);
  const paths = [];
  for (const [name, test] of tests) {
    const tested = new Set(
      test.tests.flatMap((each) => each.alert_rule_test.map(({ alertname }) => alertname)),
    );
    if (![...tested].some((alert) => mutants.get(alert)?.[number])) continue;
    // Only the rules that the test needs, since evaluating them takes most of the time.
    const needed = ({ name, rules }) =>
      test.group_eval_order?.includes(name) || rules.some(({ alert }) => tested.has(alert));
    const path = join(folder, `${number}-${name}`);
    await writeFile(`${path}.rules`, stringify({ groups: changed.filter(needed) }));
    await writeFile(path, stringify({ ...test, rule_files: [`${path}.rules`] }));
    paths.push(path);
  }
  const run = promisify(execFile)(promtool, ['test', 'rules', ...paths]);
  const { stdout, stderr } = await run.catch((error) => error);
  return new Set([...`${stdout}${stderr}`.matchAll(/alertname: (\w+), time/g)].map(([, name]) => name));
}

const runs = Math.max(...[...mutants.values()].map(({ length }) => length));
const unnoticed = [];
for (let number = 0; number < runs; number++) {
  const failing = await alertsThatFail(number);
  for (const [alert, { [number]: mutant }] of mutants)
    if (mutant && !failing.has(alert)) unnoticed.push(`${alert}: no test fails with ${mutant.change}`);
}
const tried = [...mutants.values()].flat().length;
console.log(
  `${tried - unnoticed.length} of ${tried} changes to ${mutants.size} alerts are noticed by their tests`,
);
for (const each of unnoticed) console.error(each);
process.exitCode = unnoticed.length === 0 ? 0 : 1;
