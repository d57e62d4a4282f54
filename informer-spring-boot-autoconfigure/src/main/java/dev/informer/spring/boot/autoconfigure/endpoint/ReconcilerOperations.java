/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.SharedIndexInformer;
import dev.informer.reconcilers.ReconcilerDiagnosis;
import dev.informer.reconcilers.ReconcilerDiagnosis.Cause;
import dev.informer.reconcilers.ReconcilerRegistration;
import dev.informer.reconcilers.ReconcilerRegistration.Counts;
import dev.informer.reconcilers.ReconcilerRegistration.Failing;
import dev.informer.reconcilers.ReconcilerRegistration.Running;
import dev.informer.reconcilers.Reconcilers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Descriptions of reconcilers, and what operators may do with them, for the
 * {@code informers} endpoint.
 */
public class ReconcilerOperations {

	static final List<String> ACTIONS = List.of("pause", "resume", "request");

	private static final Logger logger = LoggerFactory.getLogger(InformersEndpoint.class);

	private final Reconcilers reconcilers;

	ReconcilerOperations(Reconcilers reconcilers) {
		this.reconcilers = reconcilers;
	}

	Map<String, ReconcilerDescriptor> describeAll() {
		Map<String, ReconcilerDescriptor> descriptors = new LinkedHashMap<>();
		this.reconcilers.registrations().forEach((each) -> descriptors.put(each.name(), describe(each)));
		return descriptors;
	}

	Optional<ReconcilerRegistration> find(String name) {
		return this.reconcilers.find(name);
	}

	List<String> names() {
		return this.reconcilers.registrations().stream().map(ReconcilerRegistration::name).toList();
	}

	private static ReconcilerDescriptor describe(ReconcilerRegistration registration) {
		return new ReconcilerDescriptor(registration.informers().stream().map(SharedIndexInformer::name).toList(),
				registration.hasSynced(), registration.isPaused(), registration.counts());
	}

	static ReconcilerReport report(ReconcilerRegistration registration) {
		return new ReconcilerReport(registration.name(), describe(registration), registration.calls(),
				registration.failing(), registration.diagnose());
	}

	static void pauseOrResume(ReconcilerRegistration registration, boolean pause, String caller) {
		if (pause) {
			registration.pause(caller);
		}
		else {
			registration.resume();
		}
		log(registration, pause ? "paused" : "resumed", caller);
	}

	static RequestReport request(ReconcilerRegistration registration, @Nullable String namespace, @Nullable String name,
			String caller) {
		boolean requested = true;
		if (name != null) {
			requested = registration.request(namespace, name);
		}
		else {
			registration.requestAll();
		}
		log(registration, (name != null) ? "requested for an object" : "requested for all objects", caller);
		return new RequestReport(registration.name(), requested);
	}

	private static void log(ReconcilerRegistration registration, String action, String caller) {
		logger.atInfo()
			.addKeyValue("reconciler", registration.name())
			.log("Reconciler '{}' {} by {}", registration.name(), action, caller);
	}

	/**
	 * Descriptor of a reconciler.
	 *
	 * @param informers the names of its informers, that of the primary objects first
	 * @param synced whether all of them have synced, so that calls may begin
	 * @param paused whether it is paused on purpose
	 * @param objects the numbers of objects in each state
	 */
	public record ReconcilerDescriptor(List<String> informers, boolean synced, boolean paused, Counts objects) {
	}

	/**
	 * Report on a reconciler.
	 *
	 * @param name its name
	 * @param reconciler the reconciler
	 * @param calls the running calls
	 * @param failing at most 100 objects whose last call has failed
	 * @param causes the causes for which no call may begin now
	 */
	public record ReconcilerReport(String name, ReconcilerDescriptor reconciler, List<Running> calls,
			List<Failing> failing, List<Cause> causes) implements OperationResponseBody {
	}

	/**
	 * Report on one object of a reconciler.
	 *
	 * @param name the name of the reconciler
	 * @param diagnosis the diagnosis
	 */
	public record ObjectReport(String name, ReconcilerDiagnosis diagnosis) implements OperationResponseBody {
	}

	/**
	 * Report on a request.
	 *
	 * @param name the name of the reconciler
	 * @param requested whether the object is in the cache
	 */
	public record RequestReport(String name, boolean requested) implements OperationResponseBody {
	}

}
