-- How every service searches people (D57).

/*
 * The form in which names, addresses and search terms are compared: without case, accents (Latin, Arabic and Hebrew marks), or
 * differences of apostrophes, sigma and white space. Unit separators become spaces, because search_text separates its parts
 * with them.
 */
CREATE FUNCTION folded(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN btrim(regexp_replace(
  translate(
    normalize(regexp_replace(
      normalize(lower(normalize(value, NFC) COLLATE "und-x-icu"), NFD) COLLATE "C",
      '[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]', '', 'g'), NFC),
    E'ςøłđħŧı\u2018\u2019\u201b\u02bb\u02bc\u02b9\u2032\u00b4\u0060\uff07\x1f\u00a0',
    E'σoldhti''''''''''''''''''''  '),
  '\s+', ' ', 'g'));

/*
 * The text that a search matches: the full name in both orders, the address and the mobile number, with separators, so that no
 * match spans two of them. It is part of an index, whose entries are limited in size: beyond 2,000 bytes, more than any real
 * name, it has the name in one order, and beyond that only prefixes.
 */
CREATE FUNCTION people_search_text(first_name text, last_name text, email text, mobile text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT CASE
    WHEN 2 * octet_length(f || l) + octet_length(e || m) <= 1990
      THEN concat_ws(E'\x1f', btrim(f || ' ' || l), btrim(l || ' ' || f), e, m)
    WHEN octet_length(f || l || e || m) <= 1990 THEN concat_ws(E'\x1f', btrim(f || ' ' || l), e, m)
    ELSE concat_ws(E'\x1f', left(f, 120) || ' ' || left(l, 120), left(e, 220), left(m, 20))
  END
  FROM (VALUES (
    folded(coalesce(first_name, '')), folded(coalesce(last_name, '')), folded(coalesce(email, '')), coalesce(mobile, '')
  )) AS parts (f, l, e, m)
);

/*
 * The LIKE pattern of a search term. The number of a mobile phone is stored without separators, so those of a term that can only be
 * a number are ignored.
 */
CREATE FUNCTION people_search_pattern(term text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '%' || regexp_replace(
  CASE WHEN term ~ '^\s*(\+[-0-9 ()./]+|[0-9 ]+)$' THEN regexp_replace(term, '[^+0-9]', '', 'g') ELSE folded(term) END,
  '[%_\\]', '\\\&', 'g') || '%';
