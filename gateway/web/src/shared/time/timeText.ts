/** A moment in the school's time zone, with the zone's name, and in the device's zone where it differs. */
export interface TimeText {
  school: string;
  own: string | undefined;
}

interface Options {
  language: string;
  schoolZone: string;
  deviceZone: string;
  /** Shows seconds, for a proof of submission. */
  withSeconds?: boolean;
}

// A formatter takes longer to create than to use, and tables contain many times.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format;
}

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const minute = { hour: 'numeric', minute: '2-digit' } as const;

export function timeText(moment: Date, options: Options): TimeText {
  const { language, schoolZone, deviceZone, withSeconds = false } = options;
  if (Number.isNaN(moment.getTime())) return { school: '–', own: undefined };
  const time = withSeconds ? ({ ...minute, second: '2-digit' } as const) : minute;
  const written = (timeZone: string, format: Intl.DateTimeFormatOptions) =>
    formatOf(language, { ...format, timeZone }).format(moment);
  const whole = { ...date, ...time };
  const isSameDay = written(schoolZone, date) === written(deviceZone, date);
  return {
    school: written(schoolZone, { ...whole, timeZoneName: 'short' }),
    // Zones with different names may have the same time.
    own:
      written(schoolZone, whole) === written(deviceZone, whole)
        ? undefined
        : written(deviceZone, isSameDay ? time : whole),
  };
}
