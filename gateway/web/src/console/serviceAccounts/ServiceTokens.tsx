import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { RowButton } from '../../shared/list/RowButton.tsx';
import { TokenDates } from '../../shared/tokens/TokenDates.tsx';
import type { ServiceAccount } from '../../shared/tokens/tokenTypes.ts';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { endServiceToken } from './serviceAccountRequests.ts';

interface Props {
  account: ServiceAccount;
  onChanged(): Promise<void>;
}

/** The tokens of a service account, each with a button that ends it. */
export function ServiceTokens({ account, onChanged }: Props) {
  const { t } = useTranslation();
  const { isBusy, error, submit } = useFormRequest();
  if (account.tokens.length === 0) return t('None');
  return (
    <>
      <ErrorNotice text={error} />
      <ul className="service-tokens" aria-label={t('Tokens of {name}', { name: account.name })}>
        {account.tokens.map((token) => (
          <li key={token.id}>
            <TokenDates token={token} />
            <RowButton
              text={t('End')}
              label={t('End token {id}', { id: String(token.id) })}
              isDisabled={isBusy}
              onPress={() => void submit(() => endServiceToken(account.id, token.id).then(onChanged))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
