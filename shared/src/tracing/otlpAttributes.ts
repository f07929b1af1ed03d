import type { PbfWriter } from 'pbf';

// Field numbers of OTLP's messages, as in test/support/otlp.proto.
const keyValue = { key: 1, value: 2 };
const anyValue = { string: 1, boolean: 2, integer: 3, double: 4, array: 5 };
const arrayValue = { values: 1 };

/** Writes attributes as the repeated `field` of a message. Omits values that OpenTelemetry does not define. */
export function writeAttributes(field: number, attributes: Record<string, unknown>, pbf: PbfWriter): void {
  for (const [key, value] of Object.entries(attributes)) writeAttribute(field, { key, value }, pbf);
}

interface Attribute {
  key: string;
  value: unknown;
}

export function writeAttribute(field: number, attribute: Attribute, pbf: PbfWriter): void {
  pbf.writeMessage(field, writeKeyValue, attribute);
}

function writeKeyValue({ key, value }: Attribute, pbf: PbfWriter): void {
  pbf.writeStringField(keyValue.key, key);
  pbf.writeMessage(keyValue.value, writeValue, value);
}

function writeValue(value: unknown, pbf: PbfWriter): void {
  if (typeof value === 'string') pbf.writeStringField(anyValue.string, value);
  else if (typeof value === 'boolean') pbf.writeBooleanField(anyValue.boolean, value);
  else if (Number.isInteger(value)) pbf.writeVarintField(anyValue.integer, value as number);
  else if (typeof value === 'number') pbf.writeDoubleField(anyValue.double, value);
  else if (Array.isArray(value)) pbf.writeMessage(anyValue.array, writeValues, value);
}

function writeValues(values: unknown[], pbf: PbfWriter): void {
  for (const value of values) pbf.writeMessage(arrayValue.values, writeValue, value);
}
