package dev.informer.processor;

import java.time.Duration;

import dev.informer.ResourceEvent;
import org.jspecify.annotations.Nullable;

/**
 * Hears of calls of handlers, on the thread of the call.
 */
@FunctionalInterface
public interface HandlerListener {

	/**
	 * A handler was called.
	 * @param handler its name
	 * @param event what it was told
	 * @param time how long it took
	 * @param failure what it has thrown; {@code null} when it returned
	 */
	void handled(String handler, ResourceEvent<?> event, Duration time, @Nullable Throwable failure);

}
