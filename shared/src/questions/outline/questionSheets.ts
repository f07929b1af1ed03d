import type { Sequelize } from 'sequelize';
import { query } from '../../database/query.ts';
import { fileColumns } from '../../files/fileColumns.ts';
import type { PageSize } from '../../files/pdfEngine.ts';
import type { DetailFile } from '../../grading/detailRepository.ts';
import type { GradingTables } from '../../grading/gradingTables.ts';

/** The question PDFs of items. */
export class QuestionSheets {
  readonly #db: Sequelize;
  readonly #find: string;

  constructor(sequelize: Sequelize, { items }: Pick<GradingTables, 'items'>) {
    this.#db = sequelize;
    this.#find = `
      SELECT ${fileColumns}, z.widths, z.heights
      FROM (${items}) AS i JOIN files f ON f.id = i.file_id LEFT JOIN page_sizes z ON z.file_id = f.id
      WHERE i.id = $1`;
  }

  /** Finds the PDF of an item, with the sizes of its pages if they have been measured. */
  async find(itemId: number): Promise<DetailFile | undefined> {
    type Row = Omit<DetailFile, 'sizes'> & { widths: number[] | null; heights: number[] | null };
    const [row] = await query<Row>(this.#db, { sql: this.#find, values: [itemId] });
    if (!row) return undefined;
    const { widths, heights, ...file } = row;
    return {
      ...file,
      sizes: widths?.map((width, index): PageSize => [width, heights?.[index] ?? 0]) ?? null,
    };
  }
}
