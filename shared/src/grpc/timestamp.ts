/** `google.protobuf.Timestamp` as decoded by proto-loader. */
interface Timestamp {
  seconds: number;
  nanos: number;
}

export function toTimestamp(time: Date): Timestamp {
  const ms = time.getTime();
  return { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
}
