/**
 * The local copy of a resource.
 */
@NullMarked
package dev.informer.store;

import org.jspecify.annotations.NullMarked;
