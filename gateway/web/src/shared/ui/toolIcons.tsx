import { Outline, paths } from './icons.tsx';

const toolPaths = {
  ...paths,
  crop: 'M7 2v15h15M2 7h15v15',
  eraser:
    'm8 20-4.5-4.5a1.4 1.4 0 0 1 0-2L13 4a1.4 1.4 0 0 1 2 0l5 5a1.4 1.4 0 0 1 0 2l-9 9H6M20 20h-8M8.5 8.5l7 7',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  flag: 'M5 21V4h11l-1.5 4L16 12H5',
  handle: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  highlight: 'm9 14 8.5-8.5a2 2 0 0 1 2.8 2.8L12 17H9zM4 21h16',
  minus: 'M5 12h14',
  note: 'M5 5h14v10h-8l-4 4v-4H5z',
  page: 'M6 3h9l4 4v14H6zM14 3v5h5',
  pen: 'm4 20 1-4L16 5a2 2 0 0 1 3 3L8 19z',
  plus: 'M12 5v14M5 12h14',
  point: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  redo: 'm15 14 5-5-5-5M20 9H9.5a5.5 5.5 0 0 0 0 11H12',
  rotate: 'M20 12a8 8 0 1 1-2.5-5.8L20 8.5M20 3.5v5h-5',
  text: 'M5 7V5h14v2M12 5v14M9 19h6',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  up: 'm6 15 6-6 6 6',
  undo: 'm9 14-5-5 5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H12',
} as const;

export type ToolIconName = keyof typeof toolPaths;

/** The icons of tools and lists, in addition to `Icon`. */
export function ToolIcon({ name }: { name: ToolIconName }) {
  return <Outline path={toolPaths[name]} isDirected={name === 'undo' || name === 'redo'} />;
}
