import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aRegistration } from '#site/features/registration/registration.fixture.ts';
import { $registration, adoptRegistration } from '#site/features/registration/registration-store.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { type FoundBusiness, fetchBusiness } from '#site/ui/business-number/business-search.ts';
import { fetchPostcode } from '#site/ui/coverage/fetch-postcode.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { chooseBusiness, tradingNameOf } from './BusinessStep.tsx';

vi.mock('#site/ui/business-number/business-search.ts', () => ({ fetchBusiness: vi.fn() }));
vi.mock('#site/ui/coverage/fetch-postcode.ts', () => ({ fetchPostcode: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), info: vi.fn(), dismiss: vi.fn() } }));

const found: FoundBusiness = {
  ...{ bn: '51824753556', name: 'Banksia Plumbing Pty Ltd', tradingName: null, registered: true },
  ...{ status: 'Active', country: 'au', postcode: '7000', firstName: null, lastName: null },
};
const battery = { lat: -42.88, lng: 147.33, radius: 15_000, zoom: 10, name: 'Hobart', state: 'TAS' };

beforeEach(() => {
  vi.resetAllMocks();
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(fetchBusiness).mockResolvedValue(found);
  vi.mocked(fetchPostcode).mockResolvedValue(battery);
  adoptRegistration({ ...aRegistration, user: { firstName: 'Mick', lastName: '' } });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('fills in the business, its name without the legal form, and the area around its postcode', async () => {
  expect(await chooseBusiness(found, 'au')).toBeNull();
  await expect.poll(() => $registration.get()?.location.lat).toBe(-42.88);
  expect($registration.get()).toMatchObject({
    entity: { bn: '51824753556', tradingName: 'Banksia Plumbing', postcode: '7000' },
    user: { firstName: 'Mick', lastName: '' },
    location: { lat: -42.88, lng: 147.33, radius: 15_000, zoom: 10 },
  });
});

test("the owner's names are taken over where the register has them", async () => {
  vi.mocked(fetchBusiness).mockResolvedValue({ ...found, firstName: 'Dave', lastName: 'Nguyen' });
  await chooseBusiness(found, 'au');
  expect($registration.get()?.user).toEqual({ firstName: 'Dave', lastName: 'Nguyen' });
});

test('a business that was struck off is refused', async () => {
  vi.mocked(fetchBusiness).mockResolvedValue({ ...found, registered: false, status: 'Cancelled' });
  expect(await chooseBusiness(found, 'au')).toMatch(/no longer registered/);
  expect($registration.get()?.entity).toBeNull();
});

test('a business without a postcode leaves the area to be chosen, and shows that', async () => {
  vi.mocked(fetchBusiness).mockResolvedValue({ ...found, postcode: null });
  expect(await chooseBusiness(found, 'au')).toBeNull();
  expect(fetchPostcode).not.toHaveBeenCalled();
  expect(vi.mocked(toast.info).mock.calls[0]?.[0]).toBe("We couldn't find address for this company");
  expect($registration.get()?.location).toEqual(aRegistration.location);
});

test('what cannot be looked up is shown, and so is an unknown postcode', async () => {
  vi.mocked(fetchPostcode).mockRejectedValue(new Error('unknown'));
  await chooseBusiness(found, 'au');
  await expect.poll(() => toast.error).toHaveBeenCalledTimes(1);
  vi.mocked(fetchBusiness).mockRejectedValue(new Error('unavailable'));
  expect(await chooseBusiness(found, 'au')).toBe("We couldn't find address for this company");
  expect(toast.error).toHaveBeenLastCalledWith("We couldn't find address for this company", {
    ...{ title: 'Error', id: 'business-lookup' },
  });
  expect(toast.dismiss).not.toHaveBeenCalled();
  vi.mocked(fetchBusiness).mockResolvedValue(found);
  vi.mocked(fetchPostcode).mockResolvedValue(battery);
  await chooseBusiness(found, 'au');
  await expect.poll(() => toast.dismiss).toHaveBeenCalledWith('business-lookup');
});

test.each([
  ['Mount Wellington Plumbing Pty Ltd', 'Mount Wellington Plumbing'],
  ['Kōwhai Cleaning Limited', 'Kōwhai Cleaning'],
  ['Swan River Glazing PTY. LTD.', 'Swan River Glazing'],
  ['Banksia Plumbing Proprietary Limited', 'Banksia Plumbing'],
  ['eCommerce Electrical Ltd', 'eCommerce Electrical'],
  ['McDonald & Sons', 'McDonald & Sons'],
])('%s stays in its own case, without its legal form', (registered, name) => {
  expect(tradingNameOf(registered)).toBe(name);
});

test.each([
  ['BANKSIA PLUMBING PTY LTD', 'Banksia Plumbing'],
  ['KŌWHAI CLEANING LIMITED', 'Kōwhai Cleaning'],
  ['DJ & R&J ELECTRICAL SERVICES PTY LTD', 'DJ & R&J Electrical Services'],
  ["O'BRIEN AND MCKENZIE OF HOBART", "O'Brien and McKenzie of Hobart"],
  ['ALL-WEATHER ROOFING', 'All-Weather Roofing'],
  ['THE TILE SHOP', 'The Tile Shop'],
  ["DAVE'S GARDENS", "Dave's Gardens"],
  ['smith  gas  fitting', 'Smith Gas Fitting'],
])('%s, in one case alone, gets one capital a word', (registered, name) => {
  expect(tradingNameOf(registered)).toBe(name);
});

test.each(['Limited', 'PTY LTD'])('a company that is called %s alone has a name', (registered) => {
  expect(tradingNameOf(registered)).not.toBe('');
});
