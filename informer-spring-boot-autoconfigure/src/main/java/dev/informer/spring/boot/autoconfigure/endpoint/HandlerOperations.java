/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.util.List;
import java.util.Optional;

import dev.informer.DeliveryDiagnosis;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerInvocation;
import dev.informer.HandlerRegistration;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.endpoint.InformersEndpoint.HandlerDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Operations of the {@link InformersEndpoint} on one handler.
 */
final class HandlerOperations {

	private static final Logger logger = LoggerFactory.getLogger(InformersEndpoint.class);

	private static final String PATH = "handlers";

	private static final List<String> ACTIONS = List.of("pause", "resume", "retry");

	private final InformerRegistry registry;

	private final HandlerStatistics statistics;

	HandlerOperations(InformerRegistry registry, HandlerStatistics statistics) {
		this.registry = registry;
		this.statistics = statistics;
	}

	HandlerDescriptor describe(SharedIndexInformer<?> informer, HandlerRegistration handler) {
		HandlerStatistics.Statistics statistics = this.statistics.of(informer, handler.name());
		return new HandlerDescriptor(handler.name(), handler.queue(), handler.hasSynced(), handler.isPaused(),
				handler.pending(), statistics.retries(), statistics.lastError());
	}

	/**
	 * Diagnose a handler, or the delivery of one object to it.
	 */
	WebEndpointResponse<OperationResponseBody> diagnose(Target target) {
		return find(target, (informer, handler) -> {
			String name = target.name();
			if (name != null) {
				DeliveryDiagnosis delivery = handler.diagnose(namespace(target), name);
				return ok(new DeliveryReport(informer.name(), handler.name(), name(delivery)));
			}
			return ok(report(informer, handler));
		});
	}

	/**
	 * Change a handler.
	 * @param action one of {@link #ACTIONS}
	 * @param caller the name of the caller
	 */
	WebEndpointResponse<OperationResponseBody> change(Target target, String action, String caller) {
		return find(target, (informer, handler) -> {
			if (!ACTIONS.contains(action)) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST, "Unknown action '" + action + "'", ACTIONS);
			}
			if (action.equals("retry")) {
				return ok(retry(informer, handler, target, caller));
			}
			if (target.name() != null) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST,
						"Action '" + action
								+ "' concerns the whole handler. Leave out namespace and name, or use 'retry'",
						ACTIONS);
			}
			boolean pause = action.equals("pause");
			if (pause) {
				handler.pause(caller);
			}
			else {
				handler.resume();
			}
			log(informer, handler, pause ? "paused" : "resumed", caller);
			return ok(report(informer, handler));
		});
	}

	private RetryReport retry(SharedIndexInformer<?> informer, HandlerRegistration handler, Target target,
			String caller) {
		String name = target.name();
		int retried = (name != null) ? (handler.retryNow(namespace(target), name) ? 1 : 0) : handler.retryNow();
		log(informer, handler, "retried for " + retried + " objects", caller);
		return new RetryReport(informer.name(), handler.name(), retried);
	}

	private static void log(SharedIndexInformer<?> informer, HandlerRegistration handler, String action,
			String caller) {
		logger.atInfo()
			.addKeyValue("informer", informer.name())
			.addKeyValue("handler", handler.name())
			.log("Informer '{}': handler '{}' {} by {}", informer.name(), handler.name(), action, caller);
	}

	private WebEndpointResponse<OperationResponseBody> find(Target target, Operation operation) {
		if (!target.path().equals(PATH)) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND, "Unknown path '" + target.path() + "'", List.of(PATH));
		}
		Optional<SharedIndexInformer<?>> found = this.registry.findInformer(target.informer());
		if (found.isEmpty()) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND, "Unknown informer '" + target.informer() + "'",
					this.registry.informers().stream().map(SharedIndexInformer::name).toList());
		}
		SharedIndexInformer<?> informer = found.get();
		HandlerRegistration handler = informer.handlers()
			.stream()
			.filter((each) -> each.name().equals(target.handler()))
			.findFirst()
			.orElse(null);
		if (handler == null) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND,
					"Unknown handler '" + target.handler() + "' of informer '" + informer.name()
							+ "'. A method is a handler only if its class is a bean",
					informer.handlers().stream().map(HandlerRegistration::name).toList());
		}
		String problem = problem(target, informer.resourceType());
		if (problem != null) {
			return error(WebEndpointResponse.STATUS_BAD_REQUEST, problem, List.of("namespace", "name"));
		}
		return operation.run(informer, handler);
	}

	/**
	 * Return what is wrong with the parameters; {@code null} for nothing.
	 */
	private static @Nullable String problem(Target target, ResourceType<?> resource) {
		boolean named = target.name() != null;
		boolean inNamespace = namespace(target) != null;
		if (!named) {
			return inNamespace ? "Missing parameter 'name'" : null;
		}
		// a resource without a class is discovered by the informer
		if (!resource.isComplete() || resource.namespaced() == inNamespace) {
			return null;
		}
		return resource.namespaced() ? "Missing parameter 'namespace': " + resource.qualifiedName() + " are namespaced"
				: "Parameter 'namespace' is invalid: " + resource.qualifiedName() + " are not namespaced";
	}

	private static @Nullable String namespace(Target target) {
		String namespace = target.namespace();
		return (namespace != null && !namespace.isEmpty()) ? namespace : null;
	}

	private HandlerReport report(SharedIndexInformer<?> informer, HandlerRegistration handler) {
		HandlerDiagnosis diagnosis = handler.diagnose();
		return new HandlerReport(informer.name(), describe(informer, handler), handler.invocations(),
				new HandlerDiagnosis(diagnosis.waitingForRetry(), diagnosis.nextRetry(), diagnosis.retriesExhausted(),
						diagnosis.exhaustedObjects(), diagnosis.held(), name(diagnosis.causes())));
	}

	private DeliveryDiagnosis name(DeliveryDiagnosis delivery) {
		return new DeliveryDiagnosis(delivery.namespace(), delivery.name(), delivery.lastDelivered(),
				delivery.current(), delivery.pending(), delivery.failedAttempts(), delivery.nextAttempt(),
				delivery.lastDelivery(), name(delivery.causes()));
	}

	/**
	 * Name the informers for which handlers are held until they have synced.
	 */
	private List<Cause> name(List<Cause> causes) {
		List<String> awaited = this.registry.informers()
			.stream()
			.filter((informer) -> this.registry.isRequired(informer) && !informer.hasSynced())
			.map(SharedIndexInformer::name)
			.toList();
		return causes.stream()
			.map((cause) -> (cause.reason() == Reason.HELD_UNTIL_SYNC)
					? new Cause(cause.reason(), cause.message() + ": " + awaited, cause.since()) : cause)
			.toList();
	}

	private static WebEndpointResponse<OperationResponseBody> ok(OperationResponseBody body) {
		return new WebEndpointResponse<>(body);
	}

	private static WebEndpointResponse<OperationResponseBody> error(int status, String error, List<String> available) {
		return new WebEndpointResponse<>(new ErrorReport(error, available), status);
	}

	private interface Operation {

		WebEndpointResponse<OperationResponseBody> run(SharedIndexInformer<?> informer, HandlerRegistration handler);

	}

	/**
	 * Target of an operation.
	 *
	 * @param informer the name of the informer
	 * @param path the path between informer and handler
	 * @param handler the name of the handler
	 * @param namespace the namespace of the object
	 * @param name the name of the object; {@code null} for the whole handler
	 */
	record Target(String informer, String path, String handler, @Nullable String namespace, @Nullable String name) {
	}

	/**
	 * Report on a handler.
	 *
	 * @param informer the name of the informer
	 * @param handler the handler
	 * @param invocations the running invocations
	 * @param diagnosis the diagnosis
	 */
	public record HandlerReport(String informer, HandlerDescriptor handler, List<HandlerInvocation> invocations,
			HandlerDiagnosis diagnosis) implements OperationResponseBody {
	}

	/**
	 * Report on the delivery of one object.
	 *
	 * @param informer the name of the informer
	 * @param handler the name of the handler
	 * @param delivery the diagnosis
	 */
	public record DeliveryReport(String informer, String handler,
			DeliveryDiagnosis delivery) implements OperationResponseBody {
	}

	/**
	 * Report on a retry.
	 *
	 * @param informer the name of the informer
	 * @param handler the name of the handler
	 * @param retried the number of objects that are retried
	 */
	public record RetryReport(String informer, String handler, int retried) implements OperationResponseBody {
	}

	/**
	 * Report on an invalid request.
	 *
	 * @param error the description
	 * @param available the valid values
	 */
	public record ErrorReport(String error, List<String> available) implements OperationResponseBody {
	}

}
