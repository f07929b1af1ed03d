/** An error message about a form or an action; renders nothing without an error. */
export function ErrorNotice({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p role="alert" className="notice bad" dir="auto">
      {text}
    </p>
  );
}
