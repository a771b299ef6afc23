import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { CompanyChangeDto, CompanyDto } from './company.dto.js';

const isValid = async (of: new () => object, details: object): Promise<boolean> =>
  (await validate(plainToInstance(of, details))).length === 0;

const NEW = {
  company: {
    country: 'FR',
    legalForm: 'fr_sas',
    registrationNumber: '732829320',
    legalName: 'Atelier',
  },
  contact: { firstName: 'Camille', lastName: 'Martin', email: 'camille@example.test' },
};

test('the details of a new merchant must have all required fields', async () => {
  expect(await isValid(CompanyDto, NEW)).toBe(true);
  const { legalName: _name, ...company } = NEW.company;
  expect(await isValid(CompanyDto, { ...NEW, company })).toBe(false);
  expect(await isValid(CompanyDto, { ...NEW, contact: { firstName: 'Camille' } })).toBe(false);
});

test.each([
  [{}, true],
  [{ company: { legalName: 'Atelier' } }, true],
  [{ contact: { email: 'camille@example.test', phone: null } }, true],
  [{ company: { website: null, address: null } }, true],
  [{ company: { legalName: null } }, false],
  [{ company: { legalName: ' ' } }, false],
  [{ company: { country: 'france' } }, false],
  [{ company: null }, false],
  [{ contact: { firstName: null } }, false],
  [{ contact: { email: 'no email' } }, false],
  [{ representatives: [{ company: { legalName: 'Holding' } }] }, false],
])('the validation of the change %j to a merchant’s details returns %p', async (change, valid) => {
  expect(await isValid(CompanyChangeDto, change)).toBe(valid);
});
