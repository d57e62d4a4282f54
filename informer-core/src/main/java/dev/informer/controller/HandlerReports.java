package dev.informer.controller;

import java.time.Duration;

import dev.informer.HandlerFailure;
import dev.informer.InformerFailure;
import dev.informer.InformerFailure.Kind;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.processor.HandlerListener;
import dev.informer.source.ObjectKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Passes on how the calls of an informer's handlers went. The first failure and the
 * giving up are logged; what lies between them only where somebody looks for it.
 */
final class HandlerReports implements HandlerListener {

	private static final Logger logger = LoggerFactory.getLogger(SharedIndexInformer.class);

	private final SharedIndexInformer<?> informer;

	private final InformerEnvironment environment;

	HandlerReports(SharedIndexInformer<?> informer, InformerEnvironment environment) {
		this.informer = informer;
		this.environment = environment;
	}

	@Override
	public void handled(String handler, ResourceEvent<?> event, Duration time, int attempt,
			@Nullable Throwable failure) {
		this.environment.listener()
			.tell((listener) -> listener.handled(this.informer, handler, event.type(), time, attempt, failure));
	}

	@Override
	public void failed(HandlerFailure<?> failure) {
		Duration retryIn = failure.retryIn();
		String next = (retryIn != null) ? "is told so again in " + retryIn.toMillis() + " ms"
				: "is not told so again, that was the last attempt";
		String message = "Handler '" + failure.handler() + "' has thrown for " + failure.event().type() + " of "
				+ ObjectKey.of(failure.event().object()) + " at attempt " + failure.attempt() + " and " + next;
		logger.atLevel(level(failure))
			.addKeyValue("informer", this.informer.name())
			.addKeyValue("handler", failure.handler())
			.setCause(failure.cause())
			.log("Informer '{}': {}", this.informer.name(), message);
		Kind kind = failure.givenUp() ? Kind.HANDLER_GAVE_UP : Kind.HANDLER;
		InformerFailure news = new InformerFailure(kind, message, this.environment.time().now(), failure.cause());
		this.environment.listener().tell((listener) -> listener.failed(this.informer, null, news));
	}

	private static Level level(HandlerFailure<?> failure) {
		if (failure.givenUp() || failure.cause() instanceof Error) {
			return Level.ERROR;
		}
		return (failure.attempt() == 1) ? Level.WARN : Level.DEBUG;
	}

}
