/**
 * Where objects come from: lists and watches of one resource at the API server, and the
 * one implementation of them on the official client's
 * {@link io.kubernetes.client.openapi.ApiClient}.
 */
@NullMarked
package dev.informer.client;

import org.jspecify.annotations.NullMarked;
