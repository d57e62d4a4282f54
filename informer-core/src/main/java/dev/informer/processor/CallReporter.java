package dev.informer.processor;

import java.time.Duration;

import dev.informer.ResourceEvent;
import dev.informer.ResourceEventHandler;
import dev.informer.TimeSource;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Calls a handler and reports how that went. Whatever the handler throws, errors
 * included, the worker goes on.
 */
final class CallReporter {

	private final TimeSource time;

	private final HandlerListener listener;

	CallReporter(TimeSource time, HandlerListener listener) {
		this.time = time;
		this.listener = listener;
	}

	<T extends KubernetesObject> void call(String name, ResourceEvent<T> event, ResourceEventHandler<T> handler) {
		long began = this.time.nanoTime();
		Throwable failure = null;
		try {
			handler.handle(event);
		}
		catch (Throwable ex) {
			failure = ex;
		}
		this.listener.handled(name, event, Duration.ofNanos(this.time.nanoTime() - began), failure);
	}

}
