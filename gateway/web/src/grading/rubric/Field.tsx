export function Field({
  name,
  className = '',
  children,
}: {
  name: string;
  className?: string;
  children: React.ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className={`field ${className}`}>
      <span className="field-label">{name}</span>
      {children}
    </label>
  );
}
