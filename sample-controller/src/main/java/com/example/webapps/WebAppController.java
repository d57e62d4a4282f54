/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.webapps;

import java.util.Map;
import java.util.Objects;

import dev.informer.reconcilers.Owned;
import dev.informer.recorder.EventRecorder;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerReconciler;
import dev.informer.writer.Conditions;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Condition;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ContainerPort;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Controller of web applications.
 */
@Component
class WebAppController {

	private static final String NAME_LABEL = "app.kubernetes.io/name";

	/** Selects the objects that the informers cache: see application.yaml. */
	private static final Map<String, String> OWN = Map.of("app.kubernetes.io/managed-by", "webapps");

	private final ObjectWriter writer;

	private final EventRecorder events;

	private final Dns dns;

	WebAppController(ObjectWriter writer, EventRecorder events, Dns dns) {
		this.writer = writer;
		this.events = events;
		this.dns = dns;
	}

	@InformerReconciler(id = "webapps", owns = { V1Deployment.class, V1Service.class })
	void reconcile(WebApp app, Owned<V1Deployment> deployments) throws ApiException {
		V1Deployment deployment = this.writer.apply(deployment(app), app);
		this.writer.apply(service(app), app);
		this.dns.register(host(app));
		if (deployments.list().isEmpty()) {
			this.events.normal(app, "Created", "Reconcile", "Created the Deployment and the Service");
		}
		setStatus(app, deployment);
		this.writer.updateStatus(app);
	}

	@InformerCleanup("example.com/webapps")
	void remove(WebApp app) {
		this.dns.remove(host(app));
	}

	private static String host(WebApp app) {
		return app.getMetadata().getName() + "." + app.getMetadata().getNamespace() + ".example.com";
	}

	private static void setStatus(WebApp app, V1Deployment deployment) {
		Long generation = app.getMetadata().getGeneration();
		V1DeploymentStatus current = Objects.requireNonNullElseGet(deployment.getStatus(), V1DeploymentStatus::new);
		int ready = number(current.getReadyReplicas());
		int desired = app.spec().replicas();
		boolean complete = Objects.equals(current.getObservedGeneration(), deployment.getMetadata().getGeneration())
				&& number(current.getReplicas()) == desired && number(current.getUpdatedReplicas()) == desired
				&& ready == desired;
		app.status().set(ready, generation);
		Conditions.set(app.status().conditions(),
				new V1Condition().type("Ready")
					.status(complete ? "True" : "False")
					.reason(complete ? "AllReplicasReady" : "RolloutInProgress")
					.message(ready + " of " + desired + " replicas are ready")
					.observedGeneration(generation));
	}

	private static int number(@Nullable Integer value) {
		return (value != null) ? value : 0;
	}

	private static V1Deployment deployment(WebApp app) {
		Map<String, String> labels = Map.of(NAME_LABEL, app.getMetadata().getName());
		V1Container container = new V1Container().name("web")
			.image(app.spec().image())
			.addPortsItem(new V1ContainerPort().name("http").containerPort(app.spec().port()));
		return new V1Deployment().metadata(metadata(app))
			.spec(new V1DeploymentSpec().replicas(app.spec().replicas())
				.selector(new V1LabelSelector().matchLabels(labels))
				.template(new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(labels))
					.spec(new V1PodSpec().addContainersItem(container))));
	}

	private static V1Service service(WebApp app) {
		return new V1Service().metadata(metadata(app))
			.spec(new V1ServiceSpec().selector(Map.of(NAME_LABEL, app.getMetadata().getName()))
				.addPortsItem(new V1ServicePort().name("http").port(app.spec().port())));
	}

	/**
	 * Return the metadata of what belongs to a WebApp. With the suffix, whoever names the
	 * WebApp does not choose any name of a Service.
	 */
	private static V1ObjectMeta metadata(WebApp app) {
		return new V1ObjectMeta().name(app.getMetadata().getName() + "-webapp").labels(OWN);
	}

}
