import { getRouteApi, Link } from '@tanstack/react-router';
import { useWords } from '../../shared/language/text.ts';
import { Icon } from '../../shared/ui/icons.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { formatSchoolTime } from '../records/schoolTime.ts';
import { Feedback } from './Feedback.tsx';
import { OwnPages } from './OwnPages.tsx';
import './submission.css';
import { useSubmission } from './useSubmission.ts';

const route = getRouteApi('/inside/students/my/submissions/$kind/$id');

/** One's own work, with what the graders wrote. */
export function SubmissionPage() {
  const { t, language } = useWords();
  const { kind, id } = route.useParams();
  const { submission, title, error, refetch } = useSubmission(kind, id);
  if (error && !submission)
    return (
      <div className="page">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (!submission)
    return (
      <div className="page">
        <Loading />
      </div>
    );
  const { grading, annotatedUrl, files, submittedAt } = submission;
  return (
    <div className="page own-submission">
      <div className="page-header">
        <div>
          <Link to="/my" className="breadcrumb">
            <Icon name="back" />
            {t('My work')}
          </Link>
          <h1 className="written">{title ?? t(kind === 'quizzes' ? 'Quiz' : 'Homework')}</h1>
          <p className="quiet">{t('Handed in {time}', { time: formatSchoolTime(submittedAt, language) })}</p>
        </div>
        <FileLinks annotatedUrl={annotatedUrl} files={files} />
      </div>
      <div className="own-columns">
        <Feedback grading={grading} />
        <OwnPages annotatedUrl={annotatedUrl} files={files} />
      </div>
    </div>
  );
}

/** Signed addresses open without a token, on the host that the page is on. */
const localAddress = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

interface LinksProps {
  annotatedUrl: string | null;
  files: { name: string | null; url: string }[];
}

function FileLinks({ annotatedUrl, files }: LinksProps) {
  const { t } = useWords();
  return (
    <div className="file-links">
      {annotatedUrl !== null && (
        <a className="button" href={localAddress(annotatedUrl)} target="_blank" rel="noopener noreferrer">
          {t('Annotated PDF')}
        </a>
      )}
      {files.map(({ name, url }) => (
        <a
          key={localAddress(url).split('?')[0]}
          className="button plain"
          href={localAddress(url)}
          target="_blank"
          rel="noopener noreferrer"
        >
          <span className="written-line">{name ?? t('What I handed in')}</span>
        </a>
      ))}
    </div>
  );
}
