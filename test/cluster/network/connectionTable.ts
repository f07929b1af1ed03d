import type { End, Place } from './places.ts';

/**
 * Prints a table of the connections that succeeded, with a column for each place and a row for each endpoint. A word in
 * upper case marks an unexpected result.
 */
export function printConnections(
  places: Place[],
  ends: End[],
  reached: Set<string>,
  allowed: Set<string>,
): void {
  const nameWidth = Math.max(...ends.map(({ name }) => name.length)) + 2;
  const rows = [
    ''.padEnd(nameWidth) + places.map(({ name }) => cell(name, name)).join(''),
    ...ends.map(
      (end) =>
        end.name.padEnd(nameWidth) +
        places
          .map(({ name }) => {
            const arrow = `${name} → ${end.name}`;
            return cell(name, outcome(reached.has(arrow), allowed.has(arrow)));
          })
          .join(''),
    ),
  ];
  process.stdout.write(`\n${rows.join('\n')}\n\n`);
}

const cell = (place: string, text: string) => text.padEnd(place.length + 1);

function outcome(isReached: boolean, isAllowed: boolean): string {
  if (isReached) return isAllowed ? 'yes' : 'YES';
  return isAllowed ? 'NO' : '·';
}
