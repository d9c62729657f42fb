/** Carts &amp; what is in them. */
@NonNullApi
package shop.cart;

import shop.NonNullApi;
