import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { schoolTimeZone } from '../../shared/time/schoolTimeZone.ts';
import { EmptyState, ErrorState, explain, Loading } from '../../shared/ui/states.tsx';
import { uploadId } from '../handIn/uploadTypes.ts';
import { useMyWork } from './useMyWork.ts';
import './work.css';
import { WorkCard } from './WorkCard.tsx';
import { WorkSection } from './WorkSection.tsx';

const sections = [
  { group: 'open', english: 'To hand in', empty: 'Nothing to hand in right now.' },
  { group: 'comingUp', english: 'Coming up', empty: null },
  { group: 'handedIn', english: 'Handed in', empty: null },
  { group: 'missed', english: 'Missed', empty: null },
] as const;

/** Shows a student's open and past work. */
export function MyWorkPage() {
  const { t } = useTranslation();
  const work = useMyWork();
  const { error, isWaiting, hasFailedWhole } = work;
  return (
    <div className="page">
      <div className="page-header">
        <div>
          <h1>{t('My work')}</h1>
          <p className="quiet small">
            {t('All times are in the time zone of the school, {zone}.', { zone: schoolTimeZone })}
          </p>
        </div>
      </div>
      {error !== undefined && !hasFailedWhole && (
        <div className="notice" role="alert">
          <span>
            {explain(error, t).title}. {t('Part of this page is missing.')}
          </span>
          <Button className="button" onPress={work.retry}>
            {t('Try again')}
          </Button>
        </div>
      )}
      {hasFailedWhole ? (
        <ErrorState error={error} onRetry={work.retry} />
      ) : isWaiting ? (
        <Loading />
      ) : (
        <Sections work={work} />
      )}
      {work.isLoadingRest && !isWaiting && <Loading />}
    </div>
  );
}

function Sections({ work }: { work: ReturnType<typeof useMyWork> }) {
  const { t } = useTranslation();
  const { groups, personId, askedAt } = work;
  const isNothing = sections.every(({ group }) => groups[group].length === 0);
  if (isNothing && !work.isPartial)
    return (
      <EmptyState title={t('Nothing to do yet')}>
        <p>{t('Quizzes and homework appear here as soon as your teachers add them.')}</p>
      </EmptyState>
    );
  return sections.map(({ group, english, empty }) => (
    <WorkSection
      key={group}
      title={t(english)}
      works={groups[group]}
      empty={empty === null ? null : t(empty)}
    >
      {(each) => (
        <WorkCard
          key={`${each.kind} ${each.id}`}
          work={each}
          askedAt={askedAt[each.kind]}
          clockOffset={work.clockOffset}
          showsReceipt={work.newestId === uploadId(personId, each.kind, each.id)}
          onCheckTime={work.checkTime}
          onOpenQuestions={work.expectStart}
        />
      )}
    </WorkSection>
  ));
}
