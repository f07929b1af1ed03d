-- Service accounts, which grade like people but are not: responses say so.

ALTER TABLE people ADD COLUMN is_service boolean NOT NULL DEFAULT false;
