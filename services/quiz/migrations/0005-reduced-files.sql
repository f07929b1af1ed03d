-- Replaced answer sheets beyond REPLACED_FILES_KEPT lose their bytes.

\ir ../../../shared/migrations/files-2.sql
