/**
 * Decoding of lists, watches and failures from the stream of the response straight into
 * the official client's models, and into classes that users write the same way: a table
 * per class, reflected from the fields that Gson would bind, drives Jackson's
 * {@link tools.jackson.core.JsonParser}. Neither a list nor an event is ever held as
 * text.
 */
@NullMarked
package dev.informer.source.json;

import org.jspecify.annotations.NullMarked;
