/** The values of a header such as `Accept` with their weights (RFC 9110 §12.4.2), in lower case. A weight of 0 refuses. */
export function weightedValues(header = ''): Map<string, number> {
  const values = new Map<string, number>();
  for (const element of header.toLowerCase().split(',')) {
    const [value = '', ...parameters] = element.split(';').map((part) => part.trim());
    if (value !== '') values.set(value, weightOf(parameters));
  }
  return values;
}

function weightOf(parameters: string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  if (weight === undefined) return 1;
  const number = Number(weight.slice(2));
  return number >= 0 && number <= 1 ? number : 0;
}
