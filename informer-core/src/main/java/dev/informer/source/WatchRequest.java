package dev.informer.source;

import java.time.Duration;

/**
 * What a WATCH asks for. Bookmarks are always asked for.
 *
 * @param resourceVersion changes after this version are wanted
 * @param timeout when the server shall end the watch, in whole seconds
 */
public record WatchRequest(String resourceVersion, Duration timeout) {
}
