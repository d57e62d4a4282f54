/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.informer.reconcilers.Owned;
import dev.informer.reconcilers.ReconcileContext;
import dev.informer.reconcilers.Reconciler;
import dev.informer.reconcilers.Watched;
import dev.informer.spring.InformerCleanup;
import dev.informer.spring.InformerReconciler;
import dev.informer.spring.InformerReconciler.Writes;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/**
 * A method annotated with {@link InformerReconciler} or {@link InformerCleanup}, with a
 * valid signature.
 *
 * @param <A> the type of the annotation
 */
final class ReconcilerMethod<A extends Annotation> extends AnnotatedMethod<A> {

	private static final String ACCEPTED_FORMS = """
			Return void, or a Duration after which to call again. Take the primary object first, a model of the \
			official client or a class annotated with @CustomResource, then any of these parameters:
			    void reconcile(V1Namespace namespace)
			    void reconcile(V1Namespace namespace, Owned<V1Pod> pods)        of a class in 'owns'
			    void reconcile(V1Namespace namespace, Watched<V1Secret> secrets) of a class in 'watches' with an index
			    Duration reconcile(V1Namespace namespace, ReconcileContext context)""";

	private final Class<? extends KubernetesObject> type;

	private final List<Parameter> parameters = new ArrayList<>();

	ReconcilerMethod(Method method, Class<?> beanClass, A annotation) {
		super(method, beanClass, annotation, ACCEPTED_FORMS);
		if (method.getReturnType() != void.class && method.getReturnType() != Duration.class) {
			throw invalid("it returns " + method.getReturnType().getSimpleName() + ", neither void nor Duration");
		}
		ResolvableType[] types = parameters();
		if (types.length == 0) {
			throw invalid("it has no parameter");
		}
		this.type = objectType(types[0], types[0], "is not an object of a Kubernetes resource");
		for (int index = 1; index < types.length; index++) {
			this.parameters.add(parameter(types[index]));
		}
		if (annotation instanceof InformerReconciler reconciler) {
			checkParameters(reconciler);
			Stream.of(reconciler.writes()).map(Writes::type).forEach((written) -> checkWritten(reconciler, written));
		}
	}

	private void checkWritten(InformerReconciler reconciler, Class<?> written) {
		if (written != this.type && !List.of(reconciler.owns()).contains(written)) {
			throw invalid(
					"its attribute 'writes' names " + written.getName()
							+ ", whose objects are neither its primary objects nor owned by them",
					"Add the class to the attribute 'owns', or declare these writes by informer.writer.writes.");
		}
	}

	private Parameter parameter(ResolvableType parameter) {
		Class<?> kind = parameter.toClass();
		if (kind == ReconcileContext.class) {
			return new Parameter(kind, null);
		}
		if (kind != Owned.class && kind != Watched.class) {
			throw invalid("its parameter " + parameter + " is none of Owned, Watched and ReconcileContext");
		}
		return new Parameter(kind,
				objectType(parameter.getGeneric(0), parameter, "does not contain objects of a Kubernetes resource"));
	}

	/**
	 * Check that the objects of the parameters are those of a reconciler.
	 */
	void checkParameters(InformerReconciler reconciler) {
		this.parameters.forEach((parameter) -> {
			Class<?> objects = parameter.objects();
			String name = (objects != null) ? objects.getSimpleName() : "";
			if (parameter.kind() == Owned.class && !List.of(reconciler.owns()).contains(objects)) {
				throw invalid("its parameter Owned<" + name + "> is of a class that the reconciler does not own",
						"Add the class to the attribute 'owns', owns = " + name + ".class, or remove the parameter.");
			}
			if (parameter.kind() == Watched.class && Stream.of(reconciler.watches())
				.noneMatch((watches) -> watches.type() == objects && StringUtils.hasText(watches.index()))) {
				throw invalid(
						"its parameter Watched<" + name
								+ "> is of a class that the reconciler does not watch by an index",
						"Add it to the attribute 'watches', @Watches(type = " + name + ".class, index = \"...\"), "
								+ "where the index is one of the primary objects, or remove the parameter.");
			}
		});
	}

	@Override
	Class<? extends KubernetesObject> type() {
		return this.type;
	}

	/**
	 * Return whether the method has a parameter with objects of a class.
	 */
	boolean takes(Class<?> kind, Class<?> objects) {
		return this.parameters.contains(new Parameter(kind, objects.asSubclass(KubernetesObject.class)));
	}

	@Override
	List<NeededInformer> informers() {
		List<NeededInformer> informers = new ArrayList<>();
		if (annotation() instanceof InformerReconciler reconciler) {
			informers.add(new NeededInformer(this.type, reconciler.informer()));
			Stream.of(reconciler.owns()).forEach((owned) -> informers.add(new NeededInformer(owned, "")));
			Stream.of(reconciler.watches())
				.forEach((watches) -> informers.add(new NeededInformer(watches.type(), watches.informer())));
		}
		return informers;
	}

	/**
	 * Return a reconciler that invokes the method.
	 */
	<T extends KubernetesObject> Reconciler<T> reconciler(MethodEndpoint<?> endpoint) {
		return (primary, context) -> (Duration) endpoint.invoke(Stream
			.concat(Stream.of(primary), this.parameters.stream().map((parameter) -> parameter.argument(context)))
			.toArray());
	}

	/**
	 * Parameter after the first one.
	 *
	 * @param objects the class of its objects; {@code null} for the context
	 */
	private record Parameter(Class<?> kind, @Nullable Class<? extends KubernetesObject> objects) {

		Object argument(ReconcileContext context) {
			if (this.objects == null) {
				return context;
			}
			return (this.kind == Owned.class) ? context.owned(this.objects) : context.watched(this.objects);
		}

	}

}
