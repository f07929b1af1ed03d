import { Button } from 'react-aria-components';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { session } from '../shared/session/currentSession.ts';
import { Modal } from '../shared/ui/Modal.tsx';
import { LoginForm } from './LoginForm.tsx';
import './login.css';
import { currentPage, ProviderLinks } from './ProviderLinks.tsx';

/** Asks the user to log in again when the session has ended during work, without leaving the page. Drafts are kept. */
export function LoginAgainDialog() {
  const { t } = useTranslation();
  return (
    <Modal title={t('Log in again')} isOpen>
      <p className="quiet">{t('Your session has ended. Log in again to continue. Your work is kept.')}</p>
      <LoginForm autoFocus />
      <ProviderLinks next={currentPage()} />
      <div className="login-buttons">
        <Button className="button plain" onPress={() => void session.logOut().catch(() => {})}>
          {t('Leave this page')}
        </Button>
      </div>
    </Modal>
  );
}
