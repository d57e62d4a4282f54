package dev.informer.spring.registry;

import java.time.Duration;

import dev.informer.QueuePolicy;
import dev.informer.spring.config.HandlerMethod;
import org.jspecify.annotations.Nullable;

/**
 * A handler method of a bean, with what its annotation says after placeholders and
 * expressions have been resolved.
 *
 * @param id its id
 * @param beanName the name of the bean
 * @param method the method
 * @param informer the name of the informer to listen to; {@code null} for the default one
 * @param resyncPeriod how often every object is told again; {@code null} when not given
 * @param queue what is kept while the method is busy; {@code null} when not given
 */
public record HandlerEndpoint(String id, String beanName, HandlerMethod method, @Nullable String informer,
		@Nullable Duration resyncPeriod, @Nullable QueuePolicy queue) {
}
