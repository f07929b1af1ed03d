import type { Request, Response } from 'express';
import { principalOf } from '../auth/authenticate.ts';
import type { GraderDependencies } from './dependencies.ts';
import type { Detail } from './detailRepository.ts';
import { detailTag } from './entityTags.ts';
import { serializeDetail } from './serializers.ts';

/** The object of a submission for graders, with its tag. Counts the pages of its files if they have not been counted yet. */
export async function detailResponse(
  { kind, pages, fileUrls, annotatedUrls }: GraderDependencies,
  req: Request,
  res: Response,
  detail: Detail,
) {
  const files = await pages.measured(detail.files, principalOf(res).userId);
  const urls = { file: fileUrls(req), annotated: annotatedUrls(req) };
  return { data: serializeDetail({ ...detail, files }, kind, urls), tag: detailTag(detail) };
}

export async function sendDetail(
  dependencies: GraderDependencies,
  req: Request,
  res: Response,
  detail: Detail,
): Promise<void> {
  const { data, tag } = await detailResponse(dependencies, req, res, detail);
  res.set('ETag', tag).json({ data });
}
