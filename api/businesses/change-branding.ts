import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import { ownTurn, type Turn } from '#api/http/gate.ts';
import type { Session } from '#api/http/request-context.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { batchDecider } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { fileTypeOf } from '#core/values/file-types.ts';
import { planRules } from '#core/values/product.ts';
import { normaliseSlug } from '#core/values/slug.ts';
import type { ThemeColour } from '#core/values/theme-colours.ts';
import { isPictureType, logoUpload, pictureProblems } from '#core/values/uploads.ts';
import { assertFree, holdAddress, keepAddress } from './addresses.ts';
import { type ChangedBusiness, changeBusiness } from './change-business.ts';
import { PictureError, redraw } from './picture.ts';
import { keepLogo, newFileId, recordFile } from './stored-files.ts';

const { tooLarge, wrongType } = logoUpload;
/** No more to begin with than fit into 64 MB of memory. */
const drawing = {
  side: logoUpload.side,
  mostPixels: 4_096 * 4_096,
  type: 'image/webp',
  ground: 'transparent',
} as const;

/** `logo` is a data URL, null for none; what is left out stays as it is. `slug` as it was typed. */
type BrandingChange = Readonly<{ slug?: string; theme?: ThemeColour; logo?: string | null }>;

/**
 * Gives the tradie's business another public address, colour or logo. Everything that can be refused is, before a file is
 * stored or an address taken: the plan, the values, the address that is another's, the picture.
 */
export async function changeBranding(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'store' | 'now' | 'newId'>,
  session: Session,
  change: BrandingChange,
  { correlation, turn }: Readonly<{ correlation: string; turn: Turn }>,
): Promise<ChangedBusiness> {
  const { businessId } = session;
  const at = deps.now().toISOString();
  const before = await loadBusiness(deps, businessId);
  if (before === null) throw new NotFoundError('Business not found');
  const { slug, theme, logo } = change;
  const isNewLogo = typeof logo === 'string';
  if (isNewLogo && !planRules[before.plan].logo) throw new ConflictError('Your plan does not include a logo');
  const address = slug === undefined ? null : normaliseSlug(slug);
  const isNewAddress = address !== null && address !== before.slug;
  const commands: BusinessCommand[] = [
    ...(address === null
      ? []
      : [{ type: 'ChangePublicAddress', at, data: { businessId, slug: address } } as const]),
    ...(theme === undefined ? [] : [{ type: 'ChangeTheme', at, data: { businessId, theme } } as const]),
    ...(logo === null ? [{ type: 'ChangeLogo', at, data: { businessId, logo } } as const] : []),
  ];
  batchDecider(businessDecider).decide({ type: 'Batch', at, data: { commands } }, before);
  const bytes = isNewLogo ? logoBytes(logo) : null;
  if (isNewAddress) await assertFree(deps, session.accountId, address);
  const stored = bytes && (await storeLogo(deps, businessId, bytes, turn));
  if (isNewAddress) await holdAddress(deps, session.accountId, address);
  if (stored) commands.push({ type: 'ChangeLogo', at, data: { businessId, logo: stored } });
  const changed = await changeBusiness(deps, session, commands, { at, correlation });
  if (slug !== undefined) await keepAddress(deps, session);
  if (logo !== undefined) await keepLogo(deps.db, businessId, changed.business.logo, deps.now());
  return changed;
}

/**
 * The bytes of a data URL such as `data:image/png;base64,…`. What it calls its type is not looked at: the bytes tell.
 * Throws 422 for anything else, 413 above 2 MiB.
 */
function logoBytes(dataUrl: string): Uint8Array {
  const comma = dataUrl.indexOf(',');
  const isBase64 = /^data:[a-z0-9/+.-]{0,60};base64$/i.test(dataUrl.slice(0, Math.max(0, comma)));
  const encoded = dataUrl.slice(comma + 1);
  if (!isBase64 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw invalid({ logo: wrongType });
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > logoUpload.bytes)
    throw new HttpError('too-long', tooLarge, { fields: { logo: tooLarge } });
  return bytes;
}

/**
 * Keeps a logo as a WebP of at most 512 pixels, under a new id that cannot be guessed. It goes in a day unless
 * `keepLogo` says that it is shown. Throws 422 with `fields.logo` for what is no picture, or a damaged or huge one.
 */
export async function storeLogo(
  deps: Pick<Deps, 'db' | 'files' | 'now'>,
  businessId: string,
  bytes: Uint8Array,
  turn = ownTurn,
): Promise<string> {
  if (!isPictureType(fileTypeOf(bytes))) throw invalid({ logo: wrongType });
  const drawn = await redraw(bytes, drawing, { ...turn, rank: 'member', businessId }).catch(refuse);
  const id = newFileId();
  const file = { id, businessId, kind: 'logo', name: 'logo.webp', mime: drawing.type } as const;
  await recordFile(deps.db, { ...file, bytes: drawn.length }, deps.now());
  await deps.files.put(`logos/${id}`, drawn, drawing.type);
  return id;
}

function refuse(error: unknown): never {
  throw error instanceof PictureError ? invalid({ logo: pictureProblems[error.reason] }) : error;
}
