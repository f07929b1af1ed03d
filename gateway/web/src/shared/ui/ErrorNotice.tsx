/** An error message about a form or an action; nothing while there is none. */
export function ErrorNotice({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <p role="alert" className="notice bad" dir="auto">
      {text}
    </p>
  );
}
