import type { Settings } from './settings.ts';

interface Metric {
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

interface Data {
  metrics: Record<string, Metric>;
}

/**
 * At the end of a run, writes each goal beside the measured value to the screen and to the file SUMMARY
 * (summary.json).
 */
export const summarize =
  (title: string, settings: Settings) =>
  (data: Data): Record<string, string> => {
    const { adminEmail: _email, adminPassword: _password, adminTotp: _totp, ...shown } = settings;
    const goals = Object.entries(data.metrics).flatMap(([name, metric]) =>
      Object.entries(metric.thresholds ?? {}).map(([goal, { ok }]) => ({ name, goal, ok, metric })),
    );
    const lines = goals.map(
      ({ name, goal, ok, metric }) =>
        `  ${ok ? '✓' : '✗'} ${name.padEnd(38)} ${goal.padEnd(14)} ${measured(goal, metric)}`,
    );
    const uploads = data.metrics.upload_seconds?.values;
    const times = uploads
      ? `  uploads were answered after ${round(uploads.med)} s (median), ${round(uploads['p(99)'])} s (p99), ${round(uploads.max)} s (slowest)\n`
      : '';
    const failed = goals.filter(({ ok }) => !ok).length;
    const end = failed === 0 ? 'every goal is reached' : `${failed} of ${goals.length} goals are missed`;
    return {
      stdout: `\n${title}: ${JSON.stringify(shown)}\n\n${lines.join('\n')}\n\n${times}  ${end}\n`,
      [__ENV.SUMMARY ?? 'summary.json']: JSON.stringify(
        { title, settings: shown, metrics: data.metrics },
        null,
        1,
      ),
    };
  };

function measured(goal: string, { values }: Metric): string {
  const [, figure = ''] = /^([^<>=]+)/.exec(goal) ?? [];
  return `measured ${round(values[figure.trim()])}`;
}

const round = (value: number | undefined): string =>
  value === undefined ? 'nothing' : String(Math.round(value * 10) / 10);
