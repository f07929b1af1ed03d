import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { ApiError, isPassing } from '../api/apiError.ts';
import { type Translate, useTranslation } from '../language/useTranslation.ts';
import { ReauthenticationDeclined } from '../session/reauthentication.ts';

/** Shows that there is nothing yet, and what to do about it. */
export function EmptyState({ title, children }: { title: string; children?: React.ReactNode }) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A user-facing explanation of an error. */
export function explain(error: unknown, t: Translate): { title: string; advice: string } {
  if (error instanceof ReauthenticationDeclined)
    return {
      title: t('Your password is needed'),
      advice: t('This school asks for your password before important changes.'),
    };
  if (error instanceof ApiError && error.status === 404)
    return {
      title: t('This page does not exist'),
      advice: t('It may have been removed, or you may not have access to its course.'),
    };
  if (error instanceof ApiError && error.status === 403)
    return {
      title: t('This page is not for your account'),
      advice: t('Log in with another account to see it.'),
    };
  if (error instanceof ApiError && error.status === 429)
    return { title: t('Too many requests'), advice: t('Wait a minute, then try again.') };
  if (error instanceof ApiError && isPassing(error))
    return {
      title: t('This part of the school is not responding'),
      advice: t('The rest still works. Try again in a moment.'),
    };
  if (isPassing(error))
    return { title: t('There is no connection'), advice: t('Your work is kept on this device.') };
  return { title: t('Something went wrong'), advice: error instanceof Error ? error.message : '' };
}

interface ErrorProps {
  error: unknown;
  onRetry?: () => void;
  /** Whether the error fills the page, so that its heading is the page's heading. */
  isPage?: boolean;
}

/** Shows an error and a button to retry. */
export function ErrorState({ error, onRetry, isPage = false }: ErrorProps) {
  const { t } = useTranslation();
  const { title, advice } = explain(error, t);
  const Title = isPage ? 'h1' : 'h2';
  const isElsewhere = error instanceof ApiError && (error.status === 404 || error.status === 403);
  return (
    <div className="state" role="alert">
      <Title>{title}</Title>
      <p>{advice}</p>
      {isPage && isElsewhere && (
        <Link to="/" className="button">
          {t('Go to the start page')}
        </Link>
      )}
      {onRetry && !isElsewhere && (
        <Button className="button" onPress={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

/**
 * Reserves the space of loading content. It is invisible at first: most responses arrive before anyone could read it.
 */
export function Loading() {
  const { t } = useTranslation();
  return (
    <div className="state loading">
      <p>{t('Loading…')}</p>
    </div>
  );
}

interface ProgressProps {
  name: string;
  value: number;
  max: number;
  /** The text that screen readers announce instead of value and maximum. */
  text?: string;
}

/** A progress bar with an accessible name. Screen readers announce `text`. */
export function Progress({ name, value, max, text = `${value} / ${max}` }: ProgressProps) {
  const share = max === 0 ? 0 : value / max;
  return (
    <span
      className="progress"
      role="progressbar"
      aria-label={name}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuetext={text}
    >
      <span style={{ transform: `scaleX(${share})` }} />
    </span>
  );
}
