/** "7 / 10", in this order in every language: next to Arabic text, numbers around a slash would swap places. */
export function Fraction({ part, of }: { part: string; of: string }) {
  return (
    <bdi dir="ltr" className="fraction">
      {part}
      <span> / {of}</span>
    </bdi>
  );
}
