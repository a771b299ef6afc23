import {
  answer, ANY_VALUE, FLAG, idOf, MOMENT, pageOf, TEXT, TEXT_OR_NULL,
} from '../../api/answers.js';
import { checkedBody } from '../../api/checked.js';
import { listQuery } from '../../api/lists.js';
import { METADATA, optionalText, text } from '../../api/schemas.js';
import type { productResource } from './product-resource.js';

/** What the body of `POST /v2/products` holds. Completion, "Resources". */
export interface ProductCreate {
  readonly name: string;
  readonly description?: string | null;
  readonly metadata?: unknown;
}

export type ProductPatch = Partial<ProductCreate>;

const PROPERTIES = {
  name: text(1, 64),
  description: optionalText(1, 255),
  metadata: METADATA,
} as const;

export const productCreate = checkedBody<ProductCreate>({
  required: ['name'], properties: PROPERTIES,
});
export const productPatch = checkedBody<ProductPatch>({ properties: PROPERTIES });
export const productList = listQuery();

export const PRODUCT_ANSWER = answer<ReturnType<typeof productResource>>({
  id: idOf('prod'), created: MOMENT, deleted: FLAG, name: TEXT, description: TEXT_OR_NULL,
  metadata: ANY_VALUE,
});
export const PRODUCT_LIST_ANSWER = pageOf('products', PRODUCT_ANSWER);
