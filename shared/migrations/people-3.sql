-- Marks service accounts, which can grade like people; responses show the difference.

ALTER TABLE people ADD COLUMN is_service boolean NOT NULL DEFAULT false;
