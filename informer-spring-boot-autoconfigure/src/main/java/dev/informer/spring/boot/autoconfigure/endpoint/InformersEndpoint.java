/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.security.Principal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.informer.DeliveryDiagnosis;
import dev.informer.HandlerDiagnosis;
import dev.informer.HandlerDiagnosis.Cause;
import dev.informer.HandlerDiagnosis.Reason;
import dev.informer.HandlerRegistration;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.QueuePolicy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.ResourceType;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.spring.boot.autoconfigure.endpoint.HandlerStatistics.LastError;
import dev.informer.spring.boot.autoconfigure.endpoint.ReconcilerOperations.ObjectReport;
import dev.informer.spring.boot.autoconfigure.endpoint.ReconcilerOperations.ReconcilerDescriptor;
import dev.informer.spring.config.DefaultInformerRegistry;
import dev.informer.spring.config.ShardStatus;
import dev.informer.support.UntrustedText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.StringUtils;

/**
 * {@link Endpoint @Endpoint} that describes informers, handlers and reconcilers, triggers
 * relists and resyncs, pauses, resumes and retries handlers, and pauses, resumes and
 * calls reconcilers. It never exposes the content of objects. Write operations require
 * {@code management.endpoint.informers.access=unrestricted}.
 */
@Endpoint(id = "informers", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ InformersEndpoint.HandlerReport.class, InformersEndpoint.DeliveryReport.class,
		InformersEndpoint.RetryReport.class, InformersEndpoint.ErrorReport.class,
		ReconcilerOperations.ReconcilerReport.class, ReconcilerOperations.ObjectReport.class,
		ReconcilerOperations.RequestReport.class })
public class InformersEndpoint {

	private static final Logger logger = LoggerFactory.getLogger(InformersEndpoint.class);

	private static final String PATH = "handlers";

	private static final String RECONCILERS = "reconcilers";

	private static final List<String> ACTIONS = List.of("pause", "resume", "retry");

	private final DefaultInformerRegistry registry;

	private final HandlerStatistics statistics;

	private final ReconcilerOperations reconcilers;

	InformersEndpoint(DefaultInformerRegistry registry, HandlerStatistics statistics, Reconcilers reconcilers) {
		this.registry = registry;
		this.statistics = statistics;
		this.reconcilers = new ReconcilerOperations(reconcilers);
	}

	/**
	 * Return all informers and reconcilers.
	 * @return the informers and the reconcilers by name
	 */
	@ReadOperation
	public InformersDescriptor informers() {
		Map<String, InformerDescriptor> informers = new LinkedHashMap<>();
		this.registry.informers().forEach((informer) -> informers.put(informer.name(), describe(informer)));
		return new InformersDescriptor(informers, this.reconcilers.describeAll());
	}

	/**
	 * Return one informer.
	 * @param name the name of the informer
	 * @return the informer, or {@code null}
	 */
	@ReadOperation
	public @Nullable InformerDescriptor informer(@Selector String name) {
		return this.registry.findInformer(name).map(this::describe).orElse(null);
	}

	/**
	 * Trigger an action of an informer. Returns before the action has completed.
	 * @param security the security context, whose principal the log line of a relist
	 * names
	 * @param name the name of the informer
	 * @param action {@code relist} to list and compare the content of all objects, or
	 * {@code resync} to deliver every cached object to every handler again
	 * @return the informer
	 * @throws InvalidEndpointRequestException if the informer or the action is unknown
	 */
	@WriteOperation
	public InformerDescriptor change(SecurityContext security, @Selector String name, String action) {
		SharedIndexInformer<?> informer = this.registry.findInformer(name)
			.orElseThrow(() -> new InvalidEndpointRequestException("Unknown informer '" + name + "'",
					"No informer has the name '" + name + "'"));
		switch (action) {
			case "relist" -> informer.relist(caller(security));
			case "resync" -> informer.resync();
			default -> throw new InvalidEndpointRequestException("Unknown action '" + action + "'",
					"Use 'relist' or 'resync' instead of '" + action + "'");
		}
		return describe(informer);
	}

	/**
	 * Describe a handler, and why its invocations may not take place now; with the name
	 * of an object, what was last delivered of it and why nothing is delivered now.
	 * @param informer the name of the informer
	 * @param path {@code handlers}
	 * @param handler the name of the handler
	 * @param namespace the namespace of the object
	 * @param name the name of the object
	 * @return the description, or an error that contains the valid values
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> handler(@Selector String informer, @Selector String path,
			@Selector String handler, @Nullable String namespace, @Nullable String name) {
		return find(informer, path, handler, namespace, name,
				(found, registration) -> ok((name != null)
						? new DeliveryReport(found.name(), registration.name(),
								name(registration.diagnose(emptyToNull(namespace), name)))
						: report(found, registration)));
	}

	/**
	 * Pause or resume a handler, or retry its failed events.
	 * @param security the security context, whose principal the log line names
	 * @param informer the name of the informer
	 * @param path {@code handlers}
	 * @param handler the name of the handler
	 * @param action {@code pause}, {@code resume}, or {@code retry} for one object or all
	 * @param namespace the namespace of the object to retry
	 * @param name the name of the object to retry
	 * @return the description, or an error that contains the valid values
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> changeHandler(SecurityContext security, @Selector String informer,
			@Selector String path, @Selector String handler, String action, @Nullable String namespace,
			@Nullable String name) {
		return find(informer, path, handler, namespace, name, (found, registration) -> {
			if (!ACTIONS.contains(action)) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST, "Unknown action '" + action + "'", ACTIONS);
			}
			if (action.equals("retry")) {
				return ok(retry(found, registration, emptyToNull(namespace), name, caller(security)));
			}
			if (name != null) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST,
						"Action '" + action
								+ "' concerns the whole handler. Leave out namespace and name, or use 'retry'",
						ACTIONS);
			}
			boolean pause = action.equals("pause");
			if (pause) {
				registration.pause(caller(security));
			}
			else {
				registration.resume();
			}
			log(found, registration, pause ? "paused" : "resumed", caller(security));
			return ok(report(found, registration));
		});
	}

	/**
	 * Describe a reconciler, and why no call may begin now; with the name of an object,
	 * why the reconciler is not called for it now.
	 * @param reconcilers {@code reconcilers}
	 * @param reconciler the name of the reconciler
	 * @param namespace the namespace of the object
	 * @param name the name of the object
	 * @return the description, or an error that contains the valid values
	 */
	@ReadOperation
	public WebEndpointResponse<OperationResponseBody> reconciler(@Selector String reconcilers,
			@Selector String reconciler, @Nullable String namespace, @Nullable String name) {
		return findReconciler(reconcilers, reconciler, namespace, name,
				(found) -> ok(
						(name != null) ? new ObjectReport(found.name(), found.diagnose(emptyToNull(namespace), name))
								: ReconcilerOperations.report(found)));
	}

	/**
	 * Pause or resume a reconciler, or call it now.
	 * @param security the security context, whose principal the log line names
	 * @param reconcilers {@code reconcilers}
	 * @param reconciler the name of the reconciler
	 * @param action {@code pause}, {@code resume}, or {@code request} for one object or
	 * all
	 * @param namespace the namespace of the object to call it for
	 * @param name the name of the object to call it for
	 * @return the description, or an error that contains the valid values
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> changeReconciler(SecurityContext security,
			@Selector String reconcilers, @Selector String reconciler, String action, @Nullable String namespace,
			@Nullable String name) {
		return findReconciler(reconcilers, reconciler, namespace, name, (found) -> {
			List<String> actions = ReconcilerOperations.ACTIONS;
			if (!actions.contains(action)) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST, "Unknown action '" + action + "'", actions);
			}
			if (action.equals("request")) {
				return ok(ReconcilerOperations.request(found, emptyToNull(namespace), name, caller(security)));
			}
			if (name != null) {
				return error(WebEndpointResponse.STATUS_BAD_REQUEST,
						"Action '" + action
								+ "' concerns the whole reconciler. Leave out namespace and name, or use 'request'",
						actions);
			}
			ReconcilerOperations.pauseOrResume(found, action.equals("pause"), caller(security));
			return ok(ReconcilerOperations.report(found));
		});
	}

	private WebEndpointResponse<OperationResponseBody> findReconciler(String path, String name,
			@Nullable String namespace, @Nullable String object,
			Function<ReconcilerRegistration, WebEndpointResponse<OperationResponseBody>> operation) {
		if (!path.equals(RECONCILERS)) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND, "Unknown path '" + path + "'", List.of(RECONCILERS));
		}
		ReconcilerRegistration registration = this.reconcilers.find(name).orElse(null);
		if (registration == null) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND,
					"Unknown reconciler '" + name + "'. A method is a reconciler only if its class is a bean",
					this.reconcilers.names());
		}
		String problem = problem(registration.informer().resourceType(), StringUtils.hasLength(namespace), object);
		return (problem != null) ? error(WebEndpointResponse.STATUS_BAD_REQUEST, problem, List.of("namespace", "name"))
				: operation.apply(registration);
	}

	/**
	 * Return the name of the caller for log lines, without line breaks.
	 */
	private static String caller(SecurityContext security) {
		Principal principal = security.getPrincipal();
		return (principal != null) ? String.valueOf(principal.getName()).replaceAll("\\p{Cntrl}", "?") : "actuator";
	}

	private InformerDescriptor describe(SharedIndexInformer<?> informer) {
		Map<String, StateDescriptor> namespaces = new LinkedHashMap<>();
		informer.statesByNamespace().forEach((namespace, state) -> {
			if (!namespace.isEmpty()) {
				namespaces.put(namespace, StateDescriptor.of(state));
			}
		});
		List<HandlerDescriptor> handlers = informer.handlers()
			.stream()
			.map((handler) -> describe(informer, handler))
			.toList();
		boolean readable = informer.hasSynced() || informer.options().allowUnsyncedReads();
		return new InformerDescriptor(informer.resourceType().toString(), this.registry.isRequired(informer),
				informer.options().namespaceSelector(), informer.options().labelSelector(),
				informer.options().fieldSelector(), ShardStatus.of(informer).orElse(null), informer.hasSynced(),
				StateDescriptor.of(informer.state()), namespaces,
				informer.lastActivity().map(Moment::time).orElse(null),
				UntrustedText.of(informer.lastSyncResourceVersion()), readable ? informer.lister().size() : null,
				informer.queueDepth(), informer.encoding().orElse(null), handlers);
	}

	private HandlerDescriptor describe(SharedIndexInformer<?> informer, HandlerRegistration handler) {
		HandlerStatistics.Statistics statistics = this.statistics.of(informer, handler.name());
		return new HandlerDescriptor(handler.name(), handler.queue(), handler.hasSynced(), handler.isPaused(),
				handler.pending(), statistics.retries(), statistics.lastError());
	}

	private static RetryReport retry(SharedIndexInformer<?> informer, HandlerRegistration handler,
			@Nullable String namespace, @Nullable String name, String caller) {
		int retried = (name != null) ? (handler.retryNow(namespace, name) ? 1 : 0) : handler.retryNow();
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

	private WebEndpointResponse<OperationResponseBody> find(String name, String path, String handlerName,
			@Nullable String namespace, @Nullable String object, Operation operation) {
		if (!path.equals(PATH)) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND, "Unknown path '" + path + "'", List.of(PATH));
		}
		SharedIndexInformer<?> informer = this.registry.findInformer(name).orElse(null);
		if (informer == null) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND, "Unknown informer '" + name + "'",
					this.registry.informers().stream().map(SharedIndexInformer::name).toList());
		}
		HandlerRegistration handler = informer.handlers()
			.stream()
			.filter((each) -> each.name().equals(handlerName))
			.findFirst()
			.orElse(null);
		if (handler == null) {
			return error(WebEndpointResponse.STATUS_NOT_FOUND,
					"Unknown handler '" + handlerName + "' of informer '" + informer.name()
							+ "'. A method is a handler only if its class is a bean",
					informer.handlers().stream().map(HandlerRegistration::name).toList());
		}
		String problem = problem(informer.resourceType(), StringUtils.hasLength(namespace), object);
		return (problem != null) ? error(WebEndpointResponse.STATUS_BAD_REQUEST, problem, List.of("namespace", "name"))
				: operation.run(informer, handler);
	}

	/**
	 * Return what is wrong with the parameters; {@code null} for nothing.
	 */
	private static @Nullable String problem(ResourceType<?> resource, boolean inNamespace, @Nullable String object) {
		if (object == null) {
			return inNamespace ? "Missing parameter 'name'" : null;
		}
		// a resource without a class is discovered by the informer
		if (!resource.isComplete() || resource.namespaced() == inNamespace) {
			return null;
		}
		return resource.namespaced() ? "Missing parameter 'namespace': " + resource.qualifiedName() + " are namespaced"
				: "Parameter 'namespace' is invalid: " + resource.qualifiedName() + " are not namespaced";
	}

	private static @Nullable String emptyToNull(@Nullable String text) {
		return StringUtils.hasLength(text) ? text : null;
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
		List<String> awaited = this.registry.awaitedInformers().stream().map(SharedIndexInformer::name).toList();
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
	 * Descriptor of all informers and reconcilers.
	 *
	 * @param informers the informers by name
	 * @param reconcilers the reconcilers by name
	 */
	public record InformersDescriptor(Map<String, InformerDescriptor> informers,
			Map<String, ReconcilerDescriptor> reconcilers) implements OperationResponseBody {
	}

	/**
	 * Descriptor of an informer.
	 *
	 * @param resource the resource
	 * @param required whether startup waits for the informer
	 * @param namespaceSelector the label selector of the namespaces
	 * @param labelSelector the label selector
	 * @param fieldSelector the field selector
	 * @param shard the share of the objects that is cached; {@code null} for all
	 * @param synced whether the cache has been complete at least once
	 * @param state the state; with several namespaces, the worst of their states
	 * @param namespaces the states by namespace; empty if the informer watches all
	 * namespaces
	 * @param lastActivity the time of the last response or event from the server
	 * @param resourceVersion the resource version of the cache
	 * @param storeSize the number of cached objects; {@code null} if the cache cannot be
	 * read yet
	 * @param queueDepth the number of changes that are queued for the cache
	 * @param encoding the encoding of the last response, {@code json} or
	 * {@code protobuf}; {@code null} before the first one
	 * @param handlers the handlers
	 */
	public record InformerDescriptor(String resource, boolean required, @Nullable String namespaceSelector,
			@Nullable String labelSelector, @Nullable String fieldSelector, @Nullable ShardStatus shard, boolean synced,
			StateDescriptor state, Map<String, StateDescriptor> namespaces, @Nullable Instant lastActivity,
			String resourceVersion, @Nullable Integer storeSize, int queueDepth, @Nullable String encoding,
			List<HandlerDescriptor> handlers) implements OperationResponseBody {
	}

	/**
	 * Descriptor of the state of an informer.
	 *
	 * @param phase the phase
	 * @param since the time at which the phase was entered
	 * @param reason the reason of the last failure
	 * @param failingSince the time of the first failure in a row
	 * @param nextAttempt the time of the next attempt
	 */
	public record StateDescriptor(Phase phase, Instant since, @Nullable String reason, @Nullable Instant failingSince,
			@Nullable Instant nextAttempt) {

		static StateDescriptor of(InformerState state) {
			return new StateDescriptor(state.phase(), state.since().time(),
					(state.failure() != null) ? state.failure().message() : null,
					(state.failingSince() != null) ? state.failingSince().time() : null, state.nextAttempt());
		}

	}

	/**
	 * Descriptor of a handler.
	 *
	 * @param name the name
	 * @param queue the policy for pending events
	 * @param synced whether the initial objects have been delivered
	 * @param paused whether the handler is paused
	 * @param pending the number of pending events
	 * @param retries the number of retried invocations
	 * @param lastError the last error
	 */
	public record HandlerDescriptor(String name, QueuePolicy queue, boolean synced, boolean paused, int pending,
			long retries, @Nullable LastError lastError) {
	}

	/**
	 * Report on a handler.
	 *
	 * @param informer the name of the informer
	 * @param handler the handler
	 * @param invocations the running invocations
	 * @param diagnosis the diagnosis
	 */
	public record HandlerReport(String informer, HandlerDescriptor handler,
			List<HandlerRegistration.Invocation> invocations,
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
