/** "7 / 10", in this order in every language: beside Arabic text, numbers with a slash between them would change places. */
export function Fraction({ part, of }: { part: string; of: string }) {
  return (
    <bdi dir="ltr" className="fraction">
      {part}
      <span> / {of}</span>
    </bdi>
  );
}
