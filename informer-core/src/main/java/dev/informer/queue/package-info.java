/**
 * What has come from the server and is not in the store yet.
 */
@NullMarked
package dev.informer.queue;

import org.jspecify.annotations.NullMarked;
