// Outlines of 24 by 24 units, drawn in the text colour.
export const paths = {
  back: 'm15 5-7 7 7 7',
  check: 'm5 12.5 4.5 4.5L19 7',
  cross: 'm6 6 12 12M18 6 6 18',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2',
  down: 'm6 9 6 6 6-6',
  download: 'M12 4v11m-5-5 5 5 5-5M5 20h14',
  file: 'M14 3H6v18h12V7zM14 3v4h4',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h.01M10 14h4',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12m4.5 10.5L20 20',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  upload: 'M12 16V5m-5 5 5-5 5 5M5 20h14',
} as const;

/** The icons that most pages show. `ToolIcon` has the others, which would use a kilobyte of every page's budget. */
export function Icon({ name }: { name: keyof typeof paths }) {
  return <Outline path={paths[name]} isDirected={name === 'back'} />;
}

/** An icon with a direction is mirrored in right-to-left languages. */
export function Outline({ path, isDirected }: { path: string; isDirected: boolean }) {
  return (
    <svg
      className={isDirected ? 'icon-lines directed' : 'icon-lines'}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}
