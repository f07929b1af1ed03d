import { useMemo } from 'react';
import type { Annotation } from '../queue/gradingTypes.ts';
import { FileFailure } from './FileFailure.tsx';
import { SheetPage, type SheetPageProps } from './SheetPage.tsx';
import type { OpenFile } from './useOpenFiles.ts';

const noMarks: Annotation[] = [];

// `marks` contains the marks of all files.
interface Props extends Omit<SheetPageProps, 'sheet' | 'page' | 'number' | 'fileId'> {
  file: OpenFile;
}

/** Shows the pages of one file, or why they cannot be displayed. */
export function FilePages({
  file: { file, sheet, error, retry, firstNumber },
  marks,
  selected,
  edited,
  ...rest
}: Props) {
  const byPage = useMemo(
    () =>
      Map.groupBy(
        marks.filter((mark) => mark.file_id === file.id),
        ({ page }) => page,
      ),
    [marks, file.id],
  );
  if (!sheet) return <FileFailure file={file} error={error} onRetry={retry} />;
  return Array.from({ length: sheet.pageCount }, (_, index) => {
    const own = byPage.get(index + 1) ?? noMarks;
    return (
      <SheetPage
        // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a file have no other key
        key={index}
        sheet={sheet}
        page={index + 1}
        number={firstNumber + index}
        fileId={file.id}
        marks={own}
        // Only the page with the selected mark gets it, so that the other pages do not re-render.
        selected={own.some(({ id }) => id === selected) ? selected : undefined}
        edited={own.some(({ id }) => id === edited) ? edited : undefined}
        {...rest}
      />
    );
  });
}
